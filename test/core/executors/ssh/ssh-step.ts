import { readFileSync } from 'node:fs';
import type { ExecutorAction } from '../../../../core/model/workflow/step.ts';
import type { SshServer } from '../../../rig/servers/ssh-server.ts';

/** A step of the server's host; `config` adds to what is needed to log in. */
export const sshAction = (
  server: SshServer,
  { config, ...action }: Partial<ExecutorAction>,
): ExecutorAction => ({ kind: 'executor', type: 'ssh', config: server.config(config), ...action });

/** A process that has ended may still be in the system's table, for somebody to ask how. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
