import type { Clock } from '../base/clock.ts';
import { fail, succeed, type Result } from '../base/result.ts';
import type { LaunchFailure, LaunchRequest } from './launcher.ts';
import { checkWorkingDirectory, explainRefusal } from './launch-failure.ts';
import { openChildOutput, type ChildOutput } from './output/child-output.ts';
import type { RunningRelay } from './output/relayed-output.ts';
import { readPidStart, type ProcessIdentity } from './process-table.ts';
import { startChild, type ExitListener, type StartedChild } from './start-child.ts';
import { tryToStart, type Refusal, type StartFence } from './start-tries.ts';

/** A child of this very process. */
export interface SpawnedChild extends ProcessIdentity {
  readonly child: StartedChild;
  readonly relay: RunningRelay | undefined;
}

/** What watches over a start. */
export interface StartWatch {
  readonly clock: Clock;
  readonly fence: StartFence;
  readonly onExit: ExitListener;
}

/**
 * Starts a process as leader of its own session, without standard input. Unless a relay is asked for, its output
 * goes straight into the attempt's files: no byte of it passes through the engine, and it goes on when the engine
 * dies.
 */
export async function spawnStep(
  request: LaunchRequest,
  { clock, fence, onExit }: StartWatch,
): Promise<Result<SpawnedChild, LaunchFailure>> {
  const noDirectory = checkWorkingDirectory(request.cwd);
  if (noDirectory) return fail(noDirectory);
  return tryToStart(request, clock, () => trySpawn(request, fence, onExit));
}

async function trySpawn(
  request: LaunchRequest,
  fence: StartFence,
  onExit: ExitListener,
): Promise<Result<SpawnedChild, Refusal>> {
  let output: ChildOutput | undefined;
  try {
    output = await openChildOutput(request, fence);
    const child = await startChild(request, output.stdio, onExit);
    const relay = output.attach(child);
    return succeed({ child, pid: child.pid, pidStart: readPidStart(child.pid), relay });
  } catch (thrown) {
    await output?.discard();
    return fail(explainRefusal(thrown, request));
  } finally {
    output?.closeChildEnds();
  }
}
