import { exitCodes } from '../../base/error-codes.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { StopSignal } from '../command-context.ts';

/**
 * Returns the exit code after a run has ended. A run whose preconditions were not met is a success.
 * @param signal signal that asked this process to stop; a run that succeeded anyway is a success
 */
export function runExitCode(run: Pick<RunDetailView, 'status' | 'cause'>, signal?: StopSignal): number {
  if (run.status === 'succeeded') return exitCodes.success;
  if (signal !== undefined) return signalExitCodes[signal];
  return run.status === 'aborted' && run.cause === 'preconditions' ? exitCodes.success : exitCodes.runFailed;
}

/** Like a shell reports a program ended by a signal: 128 plus the signal number. */
export const signalExitCodes = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const satisfies Record<StopSignal, number>;
