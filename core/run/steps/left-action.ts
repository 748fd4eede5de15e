import type { ExecutorEnd, RunningStep } from '../../executors/executor.ts';
import type { AttemptRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import { parseSignal } from '../../process/ending/signals.ts';
import {
  claimStart,
  endLeftProcess,
  lostEnd,
  neverStarted,
  reattach,
  type LeftProcess,
} from '../../executors/process/reattach.ts';
import type { StepSurroundings } from './step-context.ts';

/** The directory of an attempt or an item, and what is known about its process. */
export interface LeftAction {
  /** Absolute path. */
  readonly place: string;
  readonly process: Pick<AttemptRecord, 'pid' | 'pidStart'>;
  readonly isSameBoot: boolean;
}

/** Resumes an action that is not a sub-run, by reattaching to its process if it has one. */
export function takeUpAction(around: StepSurroundings, step: Step, left: LeftAction): RunningStep {
  if (step.action.kind !== 'executor') return reattach(leftProcess(around, step, left), around);
  return { ended: loseTask(around, step, step.action.type, left), stop() {}, kill() {} };
}

/** Ends what in-process work has started on this machine. The work of an engine that has ended cannot be resumed. */
async function loseTask(
  around: StepSurroundings,
  step: Step,
  type: string,
  left: LeftAction,
): Promise<ExecutorEnd> {
  if (claimStart(left.place)) return neverStarted;
  await endLeftProcess(leftProcess(around, step, left), around);
  return lostEnd(`steps of type "${type}" run in the engine`);
}

/** Returns what is known about a process that another host has started. */
export function leftProcess(
  { scope, workflow }: Pick<StepSurroundings, 'scope' | 'workflow'>,
  step: Step,
  { place, process, isSameBoot }: LeftAction,
): LeftProcess {
  return {
    attemptDir: place,
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
