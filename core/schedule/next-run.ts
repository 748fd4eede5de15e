import { scheduleKinds, type ScheduleKind } from '../model/run/slot.ts';
import type { Schedule } from '../model/workflow/workflow.ts';
import { nextOccurrence, readSchedule, type Occurrence } from './occurrences.ts';

/** A time at which something of a workflow is due. */
export interface ScheduledTime extends Occurrence {
  readonly kind: ScheduleKind;
}

/**
 * The next scheduled start after a moment.
 * @param after epoch milliseconds
 * @param zone of expressions that name none; absent for that of the machine
 * @returns epoch milliseconds; undefined when nothing is scheduled any more
 */
export function findNextStart({ start }: Schedule, after: number, zone?: string): number | undefined {
  return findNext(start, after, zone)?.at;
}

/** The earliest time at which one of several expressions is due. */
export function findNext(
  expressions: readonly string[],
  after: number,
  zone?: string,
): Occurrence | undefined {
  let earliest: Occurrence | undefined;
  for (const expression of expressions) {
    const next = nextOccurrence(readSchedule(expression, zone), after);
    if (next !== undefined && (earliest === undefined || next.at < earliest.at)) earliest = next;
  }
  return earliest;
}

/** The next times of all kinds, in their order; of those due together a stop comes first and a start last. */
export function listNextTimes(
  schedule: Schedule,
  after: number,
  zone: string | undefined,
  count: number,
): ScheduledTime[] {
  return listTimesBetween(schedule, { after, before: Infinity }, zone, count);
}

/** The same up to a moment, at most so many. */
export function listTimesBetween(
  schedule: Schedule,
  { after, before }: { readonly after: number; readonly before: number },
  zone: string | undefined,
  most: number,
): ScheduledTime[] {
  const next = new Map<ScheduleKind, Occurrence | undefined>();
  for (const kind of scheduleKinds) next.set(kind, findNext(schedule[kind], after, zone));
  const times: ScheduledTime[] = [];
  while (times.length < most) {
    const kind = earliestKind(next);
    if (kind === undefined) break;
    const occurrence = next.get(kind)!;
    if (occurrence.at >= before) break;
    times.push({ ...occurrence, kind });
    next.set(kind, findNext(schedule[kind], occurrence.at, zone));
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

/** How far back the time before another one is looked for, in milliseconds: the most common distances first. */
const lookBacks = [
  120_000,
  7_200_000,
  2 * 86_400_000,
  35 * 86_400_000,
  400 * 86_400_000,
  9 * 366 * 86_400_000,
];

/**
 * The last time before another one at which one of several expressions was due.
 * @returns undefined when there is none within nine years
 */
export function findPrevious(
  expressions: readonly string[],
  before: number,
  zone?: string,
): number | undefined {
  for (const lookBack of lookBacks) {
    let found: number | undefined;
    for (let at = before - lookBack; ;) {
      const next = findNext(expressions, at, zone)?.at;
      if (next === undefined || next >= before) break;
      found = at = next;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}
