// A file of its own: loaded when a command leaves work behind.
import { spawn } from 'node:child_process';

/** Starts a process that outlives this one, in a session of its own, without input and output. Errors are ignored. */
export function startDetached(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env, windowsHide: true });
  child.on('error', () => {});
  child.unref();
}
