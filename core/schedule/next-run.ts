import { engineStart } from '../model/workflow/cron-days.ts';
import { scheduleKinds, type ScheduleKind } from '../model/run/fire-time.ts';
import type { Schedule } from '../model/workflow/workflow.ts';
import { nextOccurrence, readSchedule, type Occurrence } from './occurrences.ts';

/** A time at which a workflow is due. */
export interface ScheduledTime extends Occurrence {
  readonly kind: ScheduleKind;
}

/**
 * Returns the next scheduled start after an instant.
 * @param after epoch milliseconds
 * @param zone of expressions that name none; default: the machine's
 * @returns epoch milliseconds; undefined when no start is scheduled any more
 */
export function findNextStart({ start }: Schedule, after: number, zone?: string): number | undefined {
  return findNext(start, after, zone)?.at;
}

/** Returns the earliest time at which one of several expressions is due. */
export const findNext = (
  expressions: readonly string[],
  after: number,
  zone?: string,
): Occurrence | undefined => timesAfter(expressions, after, zone).next().value;

/** Yields the times at which one of several expressions is due, in ascending order, without duplicates. */
export function* timesAfter(
  expressions: readonly string[],
  after: number,
  zone?: string,
): Generator<Occurrence, undefined> {
  const schedules = expressions
    .filter((text) => text !== engineStart)
    .map((text) => readSchedule(text, zone));
  const next = schedules.map((schedule) => nextOccurrence(schedule, after));
  for (;;) {
    let earliest: Occurrence | undefined;
    for (const occurrence of next)
      if (occurrence !== undefined && (earliest === undefined || occurrence.at < earliest.at))
        earliest = occurrence;
    if (earliest === undefined) return undefined;
    yield earliest;
    const { at } = earliest;
    next.forEach((occurrence, index) => {
      if (occurrence?.at === at) next[index] = nextOccurrence(schedules[index]!, at);
    });
  }
}

/** Lists the next times of all kinds, in order; of times that are due together a stop comes first and a start last. */
export function listNextTimes(
  schedule: Schedule,
  after: number,
  zone: string | undefined,
  count: number,
): ScheduledTime[] {
  return listTimesBetween(schedule, { after, before: Infinity }, zone, count);
}

/** Does the same up to an instant, with a limit. */
export function listTimesBetween(
  schedule: Schedule,
  { after, before }: { readonly after: number; readonly before: number },
  zone: string | undefined,
  max: number,
): ScheduledTime[] {
  const timelines = new Map(scheduleKinds.map((kind) => [kind, timesAfter(schedule[kind], after, zone)]));
  const next = new Map<ScheduleKind, Occurrence | undefined>();
  for (const [kind, timeline] of timelines) next.set(kind, timeline.next().value);
  const times: ScheduledTime[] = [];
  while (times.length < max) {
    const kind = earliestKind(next);
    if (kind === undefined) break;
    const occurrence = next.get(kind)!;
    if (occurrence.at >= before) break;
    times.push({ ...occurrence, kind });
    next.set(kind, timelines.get(kind)!.next().value);
  }
  return times;
}

const orderOfKinds: readonly ScheduleKind[] = ['stop', 'restart', 'start'];

function earliestKind(next: ReadonlyMap<ScheduleKind, Occurrence | undefined>): ScheduleKind | undefined {
  let earliest: ScheduleKind | undefined;
  for (const kind of orderOfKinds) {
    const at = next.get(kind)?.at;
    if (at !== undefined && (earliest === undefined || at < next.get(earliest)!.at)) earliest = kind;
  }
  return earliest;
}

/** Distances at which to search for the previous time, in milliseconds: the most common ones first. */
const lookbacks = [
  120_000,
  7_200_000,
  2 * 86_400_000,
  35 * 86_400_000,
  400 * 86_400_000,
  9 * 366 * 86_400_000,
];

/**
 * Returns the last time before another one at which one of several expressions was due.
 * @returns undefined when there is none within nine years
 */
export function findPrevious(
  expressions: readonly string[],
  before: number,
  zone?: string,
): number | undefined {
  for (const lookback of lookbacks) {
    let latest: number | undefined;
    for (const { at } of timesAfter(expressions, before - lookback, zone)) {
      if (at >= before) break;
      latest = at;
    }
    if (latest !== undefined) return latest;
  }
  return undefined;
}
