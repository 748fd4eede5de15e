import { spawn, type ChildProcess } from 'node:child_process';
import { tagVariable, type LaunchRequest, type ExitResult } from './launcher.ts';

/** Input for starting a child process. */
export type ChildRequest = Pick<LaunchRequest, 'argv' | 'env' | 'cwd' | 'attemptDir' | 'verbatimArguments'>;

/** Called with the end of a process, in the tick in which the system reported it. */
export type ExitListener = (result: Pick<ExitResult, 'exitCode' | 'signal'>) => void;

/** A child whose end is already listened for. */
export type StartedChild = ChildProcess & { readonly pid: number };

/**
 * Starts a process as leader of its own session, without standard input. Rejects with the system error.
 * @param stdio descriptors for stdout and stderr, or `pipe`
 */
export async function startChild(
  request: ChildRequest,
  stdio: readonly (number | 'pipe')[],
  onExit: ExitListener,
): Promise<StartedChild> {
  const [program = '', ...args] = request.argv;
  const child = spawn(program, args, {
    cwd: request.cwd,
    env: { ...request.env, [tagVariable]: request.attemptDir },
    stdio: ['ignore', ...stdio],
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: request.verbatimArguments ?? false,
  });
  if (!isStarted(child)) throw await nextError(child);
  child.once('exit', (code, signal) => onExit(code === null ? { signal: signal! } : { exitCode: code }));
  // A failed kill is reported here; the tree is signalled in another way, so there is nothing to do.
  child.on('error', () => {});
  return child;
}

const isStarted = (child: ChildProcess): child is StartedChild => child.pid !== undefined;

/** Resolves with the next error event, because Node reports some system errors by an event instead of an exception. */
function nextError(child: ChildProcess): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => child.once('error', resolve));
}
