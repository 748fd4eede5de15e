import { exitCodes } from '../../base/error-codes.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { StopSignal } from '../command-context.ts';

/**
 * Exit code of a command that ran a workflow to its end. A run that ended before its first step
 * because its preconditions were not met has done what was asked of it.
 * @param signal with which somebody asked this process to stop, when one did; a run that succeeded all the same is a success
 */
export function runExitCode(run: Pick<RunDetailView, 'status' | 'cause'>, signal?: StopSignal): number {
  if (run.status === 'succeeded') return exitCodes.success;
  if (signal !== undefined) return signalExitCodes[signal];
  return run.status === 'aborted' && run.cause === 'preconditions' ? exitCodes.success : exitCodes.runFailed;
}

/** As a shell reports a program that a signal has ended: 128 and the signal's number. */
export const signalExitCodes = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const satisfies Record<StopSignal, number>;
