import type { Schedule } from '../../model/workflow.ts';
import { engineStart } from '../../model/workflow-rules.ts';
import { scheduleKinds, type ScheduleKind } from '../../model/fire-time.ts';
import { readCronFields, type CronFields, nextWallTime } from './cron.ts';
import { findTimeZone, type TimeZone, type Transition } from './time-zone.ts';

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

const kindOrder: readonly ScheduleKind[] = ['stop', 'restart', 'start'];

function earliestKind(next: ReadonlyMap<ScheduleKind, Occurrence | undefined>): ScheduleKind | undefined {
  let earliest: ScheduleKind | undefined;
  for (const kind of kindOrder) {
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

/** A time at which an expression is due. */
interface Occurrence {
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * Effect of a clock change: `shifted`, its wall time does not exist on that day, and it is due later by the size of
   * the jump; `repeated`, its wall time occurs twice, and it is due the first time only.
   */
  readonly change?: 'shifted' | 'repeated';
}

/** A cron expression and its time zone. */
export interface CronSchedule {
  readonly fields: CronFields;
  readonly zone: TimeZone;
}

/**
 * Reads an expression in the form of the model: fields, after `CRON_TZ=Zone ` when they have a zone of their own.
 * @param zone of expressions that name none; default: the machine's
 */
export function readSchedule(expression: string, zone?: string): CronSchedule {
  const [, timeZoneName, fields = expression] = /^CRON_TZ=(\S+) (.*)$/s.exec(expression) ?? [];
  return { fields: readCronFields(fields), zone: findTimeZone(timeZoneName ?? zone) };
}

/** Clock changes are smaller than a day; a change further away than that does not affect a wall time. */
const nearMs = 25 * 3_600_000;

/**
 * Returns the next time at which a schedule is due, after an instant. When the clock changes, an expression for every
 * hour follows real time; others are due once for each of their wall times, by the rule of RFC 5545, 3.3.5.
 * @param after epoch milliseconds
 * @returns undefined when it is never due again
 */
export function nextOccurrence({ fields, zone }: CronSchedule, after: number): Occurrence | undefined {
  return fields.isHourly ? nextInRealTime(fields, zone, after) : nextOnWall(fields, zone, after);
}

/** Returns the next time of an hourly expression. Between two clock changes, wall time is real time with an offset. */
function nextInRealTime(fields: CronFields, zone: TimeZone, after: number): Occurrence | undefined {
  let from = after + 1;
  for (;;) {
    const offset = zone.offsetAt(from);
    const wall = nextWallTime(fields, from + offset);
    if (wall === undefined) return undefined;
    const at = wall - offset;
    if (at - from > 2 * nearMs) {
      // Nothing is due until shortly before, whatever clock changes are in between.
      from = at - nearMs;
      continue;
    }
    const change = zone.nextChange(from, at);
    if (change === undefined || at < change.at) return { at };
    from = change.at;
  }
}

function nextOnWall(fields: CronFields, zone: TimeZone, after: number): Occurrence | undefined {
  let wall = after + 1 + lowestOffset(zone, after);
  let best: Occurrence | undefined;
  for (;;) {
    const wallTime = nextWallTime(fields, wall);
    if (wallTime === undefined) return best;
    const occurrence = toOccurrence(zone, wallTime);
    const isShifted = occurrence.change === 'shifted';
    if (occurrence.at > after && (best === undefined || occurrence.at < best.at + (isShifted ? 0 : 1)))
      best = occurrence;
    // Only a wall time that does not exist can be due later than a later one, or together with it.
    if (best !== undefined && !isShifted && occurrence.at >= best.at) return best;
    wall = wallTime + 1;
  }
}

/** Returns the offset at which the search starts: while nonexistent wall times are still due, it starts with them. */
function lowestOffset(zone: TimeZone, instant: number): number {
  const change = zone.nextChange(instant - nearMs, instant);
  const offset = zone.offsetAt(instant);
  const isOver = change === undefined || instant >= change.at + (change.after - change.before);
  return isOver ? offset : Math.min(offset, change.before);
}

/** Returns the instant of a wall time: the first of two; when there is none, that of the clock before the change. */
function toOccurrence(zone: TimeZone, wall: number): Occurrence {
  const change = findChangeAround(zone, wall);
  if (change === undefined) return { at: wall - zone.offsetAt(wall) };
  const { at, before, after } = change;
  if (wall < at + Math.min(before, after)) return { at: wall - before };
  if (wall >= at + Math.max(before, after)) return { at: wall - after };
  return { at: wall - before, change: after > before ? 'shifted' : 'repeated' };
}

/** Returns the clock change that decides which offset a wall time has. */
function findChangeAround(zone: TimeZone, wall: number): Transition | undefined {
  return zone.nextChange(wall - nearMs, wall + nearMs);
}

/** A day in a time zone. */
export interface Day {
  /** `2026-01-31`. */
  readonly date: string;
  /** Its first instant, epoch milliseconds. */
  readonly from: number;
  /** The first instant after it. */
  readonly until: number;
}

const dayMs = 86_400_000;

/**
 * Lists the days from one date to another, both included; empty when the second is before the first or one is not a
 * date. Throws a `RangeError` for an unknown zone.
 * @param max maximum number of days
 */
export function listDays(
  span: { from: string; to: string },
  zoneName: string | undefined,
  max: number,
): Day[] {
  const zone = findTimeZone(zoneName);
  const first = readDate(span.from);
  const last = readDate(span.to);
  if (first === undefined || last === undefined) return [];
  const days: Day[] = [];
  for (let wall = first; wall <= last && days.length < max; wall += dayMs)
    days.push({ date: toDate(wall), from: getStart(zone, wall), until: getStart(zone, wall + dayMs) });
  return days;
}

/** Returns the date of an instant in a zone. */
export const dateAt = (zone: TimeZone, instant: number): string => toDate(instant + zone.offsetAt(instant));

const toDate = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

/**
 * Returns midnight UTC of a date such as `2026-01-31`, in epoch milliseconds; undefined for a date that does not exist.
 */
export function readDate(text: string): number | undefined {
  const wall = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(wall) || toDate(wall) !== text ? undefined : wall;
}

/** Returns the first instant of a day. If the clock jumps over midnight, that is the instant of the jump. */
function getStart(zone: TimeZone, wall: number): number {
  const early = wall - zone.offsetAt(wall - dayMs);
  const late = wall - zone.offsetAt(early);
  const candidates = [early, late].filter((at) => dateAt(zone, at) === toDate(wall));
  return Math.min(...(candidates.length > 0 ? candidates : [late]));
}
