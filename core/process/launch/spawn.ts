import type { Clock } from '../../base/clock.ts';
import { fail, succeed, type Result } from '../../base/result.ts';
import type { LaunchFailure, LaunchRequest } from './launcher.ts';
import { checkWorkingDirectory, explainLaunchError } from './launch-failure.ts';
import { openChildOutput } from '../output/child-output.ts';
import type { RunningRelay } from '../output/relayed-output.ts';
import { readPidStart, type ProcessIdentity } from '../tracking/process-table.ts';
import { startChild, type ExitListener } from './start-child.ts';
import { tryToStart, type StartFailure, type StartLock } from './start-tries.ts';
import { startInTerminal } from '../terminal/start-in-terminal.ts';

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
  const noDirectory = checkWorkingDirectory(request.cwd);
  if (noDirectory) return fail(noDirectory);
  return tryToStart(request, watch.clock, () => trySpawn(request, watch));
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
