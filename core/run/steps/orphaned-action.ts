import type { ExecutorResult, RunningStep } from '../../executors/executor.ts';
import type { AttemptRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import { parseSignal } from '../../process/kill/signals.ts';
import {
  claimStart,
  killOrphanedProcess,
  lostResult,
  neverStartedResult,
  reattach,
  type OrphanedProcess,
} from '../../executors/process/reattach.ts';
import type { StepRunContext } from './step-context.ts';

/** The directory of an attempt or an item, and what is known about its process. */
export interface OrphanedAction {
  /** Absolute path. */
  readonly attemptPath: string;
  readonly process: Pick<AttemptRecord, 'pid' | 'pidStart'>;
  readonly isSameBoot: boolean;
}

/** Resumes an action that is not a sub-run, by reattaching to its process if it has one. */
export function adoptAction(context: StepRunContext, step: Step, orphan: OrphanedAction): RunningStep {
  if (step.action.kind !== 'executor') return reattach(orphanedProcess(context, step, orphan), context);
  return { ended: loseTask(context, step, step.action.type, orphan), stop() {}, kill() {} };
}

/** Ends what in-process work has started on this machine. The work of an engine that has ended cannot be resumed. */
async function loseTask(
  context: StepRunContext,
  step: Step,
  type: string,
  orphan: OrphanedAction,
): Promise<ExecutorResult> {
  if (claimStart(orphan.attemptPath)) return neverStartedResult;
  await killOrphanedProcess(orphanedProcess(context, step, orphan), context);
  return lostResult(`steps of type "${type}" run in the engine`);
}

/** Returns the known state of a process that another host started. */
export function orphanedProcess(
  { scope, workflow }: Pick<StepRunContext, 'scope' | 'workflow'>,
  step: Step,
  { attemptPath, process, isSameBoot }: OrphanedAction,
): OrphanedProcess {
  return {
    attemptDir: attemptPath,
    pid: process.pid,
    pidStart: process.pidStart,
    stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
    isRelayed:
      step.terminal !== undefined || scope.relay({ stdout: step.stdout, stderr: step.stderr }) !== undefined,
    hasTerminal: step.terminal !== undefined,
    isSameBoot,
  };
}
