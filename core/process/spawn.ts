import { wait } from '../base/wait.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { fail, succeed, type Result } from '../base/errors.ts';
import { MAX_EXPANDED_CHARACTERS } from '../spec/limits.ts';
import { type LaunchFailure, type LaunchRequest, tagVariable, type ExitResult } from './launcher.ts';
import { checkWorkingDirectory, explainLaunchError } from './launch-failure.ts';
import { openChildOutput, type RunningRelay } from './relayed-output.ts';
import { readPidStart, type ProcessIdentity } from './process-table.ts';
import { startInTerminal } from './terminal.ts';

/** A child of this process. */
export interface SpawnedChild extends ProcessIdentity {
  readonly relay: RunningRelay | undefined;
  /** Detaches it: it no longer keeps the event loop alive. */
  unref(this: void): void;
}

/** Callbacks and checks during a start. */
export interface StartWatch {
  readonly clock: Clock;
  readonly fence: StartLock;
  readonly onExit: ExitListener;
}

/**
 * Starts a process as leader of its own session, without standard input. Without a relay or a terminal, its output is
 * written directly to the attempt's files, bypassing the engine, and it continues when the engine dies.
 */
export async function spawnStep(
  request: LaunchRequest,
  watch: StartWatch,
): Promise<Result<SpawnedChild, LaunchFailure>> {
  const problem = checkWorkingDirectory(request.cwd) ?? checkSize(request);
  if (problem) return fail(problem);
  const tries = new StartTries(request, watch.clock);
  for (;;) {
    const spawned = await trySpawn(request, watch);
    if (spawned.ok) return spawned;
    const failure = await tries.waitAfter(spawned.error);
    if (failure !== undefined) return fail(failure);
  }
}

async function trySpawn(
  request: LaunchRequest,
  watch: StartWatch,
): Promise<Result<SpawnedChild, StartFailure>> {
  const { terminal } = request;
  try {
    return succeed(
      await (terminal ? startInTerminal({ ...request, terminal }, watch) : startPlain(request, watch)),
    );
  } catch (error) {
    return fail(explainLaunchError(error, request));
  }
}

async function startPlain(request: LaunchRequest, { fence, onExit }: StartWatch): Promise<SpawnedChild> {
  const output = await openChildOutput(request, fence);
  try {
    const child = await startChild(request, output.stdio, onExit);
    const relay = output.attach(child);
    return { pid: child.pid, pidStart: readPidStart(child.pid), relay, unref: () => child.unref() };
  } catch (error) {
    await output.discard();
    throw error;
  } finally {
    output.closeChildEnds();
  }
}

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

/**
 * An attempt belongs to the engine that creates its stdout file: two engines that both believe they drive a run never
 * both start its command, and an engine that takes over knows that without the file nothing was started.
 */
export interface StartLock {
  /** Whether the file exists and is ours. */
  isPassed: boolean;
}

/** Returns the fence of an attempt to start; a part of a running attempt has passed it already. */
export const getLock = ({ isPart }: Pick<LaunchRequest, 'isPart'>): StartLock => ({
  isPassed: isPart === true,
});

/** Why a process start failed, and whether it may succeed a moment later. */
export interface StartFailure {
  readonly failure: LaunchFailure;
  readonly isTransient: boolean;
}

/**
 * Checks the size of the input. Input that every system rejects is not tried, because the arguments are copied several
 * times on their way to the process. Checking their lengths is cheap.
 */
export function checkSize({ argv, env }: Pick<LaunchRequest, 'argv' | 'env'>): LaunchFailure | undefined {
  let characters = 0;
  for (const text of argv) characters += text.length;
  for (const [name, value] of Object.entries(env)) characters += name.length + value.length;
  if (characters <= MAX_EXPANDED_CHARACTERS) return undefined;
  const message = `the arguments and variables of the process have ${characters} characters (the limit is ${MAX_EXPANDED_CHARACTERS}): put the data into a file and pass its name`;
  return { reason: 'too_big', message };
}

/** Delays between tries when the system has no free process or file: doubling from the first, ten tries. */
const firstWaitMs = 10;
const maxTries = 10;

/** The tries to start a process. */
export class StartTries {
  readonly #request: Pick<LaunchRequest, 'isCancelled'>;
  readonly #clock: Clock;
  #remaining = maxTries - 1;
  #waitMs = firstWaitMs;

  constructor(request: Pick<LaunchRequest, 'isCancelled'>, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  /** Waits for the next try. Returns why there is none, if the process cannot be started or the start is cancelled. */
  async waitAfter({ failure, isTransient }: StartFailure): Promise<LaunchFailure | undefined> {
    if (!isTransient || this.#remaining === 0) return failure;
    await wait(this.#clock, this.#waitMs);
    this.#remaining -= 1;
    this.#waitMs *= 2;
    return this.#request.isCancelled()
      ? { reason: 'cancelled', message: 'stopped before the process started' }
      : undefined;
  }
}
