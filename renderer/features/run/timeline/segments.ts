import type { AttemptView, StepRunView } from '../../../../core/contract/runs/run-views.ts';
import type { StepStatus } from '../../../../core/model/run/status.ts';
import type { TimeRange } from './time-map.ts';

/** A segment of a timeline row. */
export interface Segment extends TimeRange {
  /** `queue`: the run was queued. `wait`: waiting before the first attempt or between two attempts. */
  readonly kind: 'queue' | 'wait' | 'attempt';
  readonly status: StepStatus;
  /** Number of the attempt. */
  readonly attempt?: number;
}

/** Shorter pauses are overhead of the engine, in milliseconds. */
const minWait = 100;

/**
 * Returns the attempts of a step, with the waits before and between them.
 * @param ready when its last dependency ended or the run started, in epoch milliseconds
 * @param now end of running attempts
 */
export function segmentsOf(step: StepRunView, ready: number | undefined, now: number): Segment[] {
  const segments: Segment[] = [];
  let from = ready;
  step.attempts.forEach((attempt, index) => {
    const started = Date.parse(attempt.startedAt);
    if (from !== undefined && started - from >= minWait) {
      segments.push({ kind: 'wait', from, to: started, status: 'queued' });
    }
    const end = attempt.finishedAt === undefined ? now : Date.parse(attempt.finishedAt);
    const isLast = index === step.attempts.length - 1;
    const status = isLast && step.status !== 'not_started' ? step.status : statusOfAttempt(attempt);
    segments.push({ kind: 'attempt', from: started, to: end, status, attempt: attempt.attempt });
    from = end;
  });
  // The next attempt is due but has not started.
  const last = step.attempts.at(-1);
  if (step.status === 'running' && last?.finishedAt !== undefined && from !== undefined && from < now) {
    segments.push({ kind: 'wait', from, to: now, status: 'queued' });
  }
  return segments;
}

/**
 * Returns the time from the first attempt to the end, including pauses between attempts; the time in the queue
 * if there is no attempt. In milliseconds.
 */
export function durationOf(segments: readonly Segment[]): number {
  const first =
    segments.find(({ kind }) => kind === 'attempt') ?? segments.find(({ kind }) => kind === 'queue');
  return first === undefined ? 0 : segments.at(-1)!.to - first.from;
}

/** Returns the status of an attempt other than the last, whose status is that of the step. */
export function statusOfAttempt({ finishedAt, error, exitCode = 0, signal }: AttemptView): StepStatus {
  if (finishedAt === undefined) return 'running';
  return error !== undefined || exitCode !== 0 || signal !== undefined ? 'failed' : 'succeeded';
}

/**
 * Returns when a step could have started.
 * @param ends end of each step by name, in epoch milliseconds
 */
export function readyTimeOf(
  depends: readonly string[],
  ends: ReadonlyMap<string, number>,
  runStart: number,
): number | undefined {
  const known = depends.map((name) => ends.get(name));
  if (known.includes(undefined)) return undefined;
  return Math.max(runStart, ...(known as number[]));
}
