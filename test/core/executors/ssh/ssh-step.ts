import { readFileSync } from 'node:fs';
import type { ExecutorAction } from '../../../../core/model/step.ts';
import type { SshServer } from '../../../rig/servers/ssh-server.ts';

/** A step of the server's host; `config` extends the login settings. */
export const sshAction = (
  server: SshServer,
  { config, ...action }: Partial<ExecutorAction>,
): ExecutorAction => ({ kind: 'executor', type: 'ssh', config: server.config(config), ...action });

/** A zombie may still be in the process table. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
