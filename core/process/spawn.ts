import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { fail, succeed, type Result } from '../base/result.ts';
import type { ProcessEnd, LaunchFailure, LaunchRequest } from './launcher.ts';
import { checkWorkingDirectory, explainSpawnError, mayPass } from './launch-failure.ts';
import { openChildOutput, type ChildOutput, type RunningRelay } from './output/child-output.ts';
import { OutputRefused } from './output/output-files.ts';
import { readPidStart } from './process-table.ts';
import { tagVariable } from './launcher.ts';
import { startInTerminal } from './terminal/start-in-terminal.ts';

/** A child whose end is already listened for. */
export interface SpawnedChild {
  readonly pid: number;
  readonly pidStart: string;
  readonly relay: RunningRelay | undefined;
  /** Lets go of it: it no longer keeps the event loop alive. */
  unref(this: void): void;
}

/** Waits between tries when the system has no process or file to spare: doubling from the first, ten tries. */
const firstWaitMs = 10;
const tries = 10;

/** Told how a process ended, in the turn in which the system reported it. */
export type ExitListener = (end: Pick<ProcessEnd, 'exitCode' | 'signal'>) => void;

/**
 * Starts a process as leader of its own session, without standard input. Unless a relay or a terminal is asked for, its
 * output goes straight into the attempt's files: no byte of it passes through the engine, and it goes on when the engine
 * dies.
 */
export async function spawnStep(
  request: LaunchRequest,
  clock: Clock,
  onExit: ExitListener,
): Promise<Result<SpawnedChild, LaunchFailure>> {
  const noDirectory = checkWorkingDirectory(request.cwd);
  if (noDirectory) return fail(noDirectory);
  for (let left = tries - 1, waitMs = firstWaitMs; ; left -= 1, waitMs *= 2) {
    const tried = await trySpawn(request, clock, onExit);
    if (tried.ok) return tried;
    const { error, failure } = tried.error;
    if (!mayPass(error) || left === 0) return fail(failure ?? explainSpawnError(error, request));
    await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    if (request.isCancelled()) return fail({ reason: 'cancelled', message: 'stopped before it was started' });
  }
}

/** What the system said, and what that means when it was not about the process itself. */
interface Refusal {
  readonly error: NodeJS.ErrnoException;
  readonly failure?: LaunchFailure;
}

async function trySpawn(
  request: LaunchRequest,
  clock: Clock,
  onExit: ExitListener,
): Promise<Result<SpawnedChild, Refusal>> {
  const { terminal } = request;
  try {
    const starting = terminal
      ? startInTerminal({ ...request, terminal }, clock, onExit)
      : startChild(request, onExit);
    return succeed(await starting);
  } catch (thrown) {
    if (!(thrown instanceof OutputRefused)) return fail({ error: thrown as NodeJS.ErrnoException });
    return fail({ error: thrown.cause as NodeJS.ErrnoException, failure: thrown.failure });
  }
}

async function startChild(request: LaunchRequest, onExit: ExitListener): Promise<SpawnedChild> {
  const output = await openChildOutput(request);
  try {
    const child = spawnChild(request, output);
    const { pid } = child;
    if (pid === undefined) throw await nextError(child);
    const relay = output.attach(child);
    child.once('exit', (code, signal) => onExit(code === null ? { signal: signal! } : { exitCode: code }));
    // A failed kill is reported here; the tree is signalled by other means, so there is nothing to do.
    child.on('error', () => {});
    return { pid, pidStart: readPidStart(pid), relay, unref: () => child.unref() };
  } catch (thrown) {
    await output.discard();
    throw thrown;
  } finally {
    output.closeChildEnds();
  }
}

function spawnChild(request: LaunchRequest, { stdio }: ChildOutput): ChildProcess {
  const [program = '', ...args] = request.argv;
  return spawn(program, args, {
    cwd: request.cwd,
    env: { ...request.env, [tagVariable]: request.attemptDir },
    stdio: ['ignore', ...stdio],
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: request.verbatimArguments ?? false,
  });
}

/** Node reports some refusals of the system by an event instead of an exception. */
function nextError(child: ChildProcess): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => child.once('error', resolve));
}
