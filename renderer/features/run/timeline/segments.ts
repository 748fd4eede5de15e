import type { AttemptView, StepRunView } from '../../../../core/contract/runs/run-views.ts';
import type { StepStatus } from '../../../../core/model/run/status.ts';
import type { Stretch } from './time-map.ts';

/** A piece of a row of the timeline. */
export interface Segment extends Stretch {
  /** `queue`: the run waited. `wait`: for its turn, before the first or between two attempts. */
  readonly kind: 'queue' | 'wait' | 'attempt';
  readonly status: StepStatus;
  /** Of an attempt: which. */
  readonly attempt?: number;
}

/** A pause shorter than this is that of the engine itself, milliseconds. */
const leastWait = 100;

/**
 * Attempts of a step, with the waiting before and between them.
 * @param ready when the last of what it depends on had ended, or the run began; epoch milliseconds
 * @param now end of what still runs
 */
export function segmentsOf(step: StepRunView, ready: number | undefined, now: number): Segment[] {
  const segments: Segment[] = [];
  let from = ready;
  step.attempts.forEach((attempt, index) => {
    const begun = Date.parse(attempt.startedAt);
    if (from !== undefined && begun - from >= leastWait) {
      segments.push({ kind: 'wait', from, to: begun, status: 'queued' });
    }
    const end = attempt.finishedAt === undefined ? now : Date.parse(attempt.finishedAt);
    const isLast = index === step.attempts.length - 1;
    const status = isLast && step.status !== 'not_started' ? step.status : statusOfAttempt(attempt);
    segments.push({ kind: 'attempt', from: begun, to: end, status, attempt: attempt.attempt });
    from = end;
  });
  // The next attempt is due, and has not begun.
  const last = step.attempts.at(-1);
  if (step.status === 'running' && last?.finishedAt !== undefined && from !== undefined && from < now) {
    segments.push({ kind: 'wait', from, to: now, status: 'queued' });
  }
  return segments;
}

/** From its first attempt to the end, pauses between attempts included; the time in the queue when there is no attempt. Milliseconds. */
export function tookOf(segments: readonly Segment[]): number {
  const first =
    segments.find(({ kind }) => kind === 'attempt') ?? segments.find(({ kind }) => kind === 'queue');
  return first === undefined ? 0 : segments.at(-1)!.to - first.from;
}

/** How an attempt ended that is not the last: the step itself says it of that one only. */
export function statusOfAttempt({ finishedAt, error, exitCode = 0, signal }: AttemptView): StepStatus {
  if (finishedAt === undefined) return 'running';
  return error !== undefined || exitCode !== 0 || signal !== undefined ? 'failed' : 'succeeded';
}

/**
 * When a step could have begun.
 * @param ends when each step had ended, by name, epoch milliseconds
 */
export function readyAt(
  depends: readonly string[],
  ends: ReadonlyMap<string, number>,
  runStart: number,
): number | undefined {
  const known = depends.map((name) => ends.get(name));
  if (known.includes(undefined)) return undefined;
  return Math.max(runStart, ...(known as number[]));
}
