import type { RunningStep } from '../../executors/executor.ts';
import type { AttemptRecord } from '../../model/run.ts';
import type { Step } from '../../model/step.ts';
import { parseSignal } from '../../process/signals.ts';
import { claimStart, lostEnd, neverStarted, reattach, type LeftProcess } from './reattach.ts';
import type { StepSurroundings } from './step-context.ts';

/** The place of an attempt or an item, and what is known of its process. */
export interface LeftAction {
  /** Absolute. */
  readonly place: string;
  readonly process: Pick<AttemptRecord, 'pid' | 'pidStart'>;
  readonly isSameBoot: boolean;
}

/** Goes on with an action that is no sub-run: with its process, if it has one. */
export function takeUpAction(around: StepSurroundings, step: Step, left: LeftAction): RunningStep {
  if (step.action.kind !== 'executor') return reattach(leftProcess(around, step, left), around);
  const end = claimStart(left.place)
    ? neverStarted
    : lostEnd(`steps of type "${step.action.type}" are done by the engine itself`);
  return { ended: Promise.resolve(end), stop() {}, kill() {} };
}

/** What there is to know of a process that another host has started. */
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
    isRelayed: scope.relay({ stdout: step.stdout, stderr: step.stderr }) !== undefined,
    isSameBoot,
  };
}
