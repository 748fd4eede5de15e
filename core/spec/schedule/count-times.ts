import { engineStart } from '../../model/workflow-rules.ts';
import { dayAt, HourCounter, type HourPart } from './cron.ts';
import { readSchedule, timesAfter, type Day, dateAt, findNext, findPrevious, listDays } from './next-run.ts';
import { findTimeZone, type TimeZone } from './time-zone.ts';

/** A part of a calendar within one hour of the clock. Instants in epoch milliseconds. */
export interface HourSlot {
  readonly from: number;
  /** The first instant after it. */
  readonly until: number;
  readonly date: string;
  /** 0 to 23. An hour that is repeated when clocks are set back has two slots; an hour that is skipped has none. */
  readonly hour: number;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
const dayMs = 24 * hourMs;
/** Clock changes are smaller than a day. */
const nearMs = 25 * hourMs;

/** Lists the hours of days in order, split at clock changes. */
export function listHourSlots(days: readonly Day[], zoneName: string | undefined): HourSlot[] {
  const zone = findTimeZone(zoneName);
  return days.flatMap(({ date, from, until }) => {
    const slots: HourSlot[] = [];
    for (let at = from; at < until;) {
      const wall = at + zone.offsetAt(at);
      const hour = Math.floor(wall / hourMs);
      const change = zone.nextChange(at, at + hourMs)?.at ?? Infinity;
      const end = Math.min((hour + 1) * hourMs - wall + at, change, until);
      slots.push({ from: at, until: end, date, hour: hour % 24 });
      at = end;
    }
    return slots;
  });
}

/** Splits slots at an instant, so that each of them is before or after it. */
export const splitSlots = (slots: readonly HourSlot[], at: number): HourSlot[] =>
  slots.flatMap((slot) =>
    slot.from < at && at < slot.until
      ? [
          { ...slot, until: at },
          { ...slot, from: at },
        ]
      : [slot],
  );

/**
 * Counts the times of expressions in each slot; times of several expressions at the same instant count once. Takes
 * about as long for an expression that is due every minute as for one that is due once a week.
 */
export function countTimes(
  expressions: readonly string[],
  zoneName: string | undefined,
  slots: readonly HourSlot[],
): number[] {
  const due = expressions.filter((text) => text !== engineStart);
  const counts = slots.map(() => 0);
  if (due.length === 0) return counts;
  const schedules = due.map((text) => readSchedule(text, zoneName));
  const { zone } = schedules[0]!;
  if (schedules.some((one) => one.zone !== zone || one.fields.once !== undefined))
    return slots.map((slot) => countOneByOne(due, zoneName, slot));
  const { parts, others } = splitByClock(slots, zone);
  const counter = new HourCounter(schedules.map(({ fields }) => fields));
  for (const part of parts) counts[part.slot]! += counter.count(part);
  for (const index of others) counts[index] = countOneByOne(due, zoneName, slots[index]!);
  return counts;
}

/** A part of a slot within one hour of a zone's clock. */
interface SlotPart extends HourPart {
  /** Index of the slot. */
  readonly slot: number;
}

interface ClockParts {
  readonly parts: readonly SlotPart[];
  /** Indexes of slots near a clock change, or that do not begin with a minute: their times must be searched. */
  readonly others: readonly number[];
}

/** A calendar counts the same slots for every workflow. */
const knownParts = new WeakMap<readonly HourSlot[], Map<TimeZone, ClockParts>>();

function splitByClock(slots: readonly HourSlot[], zone: TimeZone): ClockParts {
  const known = knownParts.get(slots) ?? new Map<TimeZone, ClockParts>();
  knownParts.set(slots, known);
  let split = known.get(zone);
  if (split !== undefined) return split;
  const parts: SlotPart[] = [];
  const others: number[] = [];
  const days = new Map<number, ReturnType<typeof dayAt>>();
  slots.forEach(({ from, until }, slot) => {
    const offset = zone.offsetAt(from);
    const [start, end] = [from + offset, until + offset];
    const isNearChange = zone.nextChange(from - nearMs, until + nearMs) !== undefined;
    if (isNearChange || start % minuteMs !== 0 || end % minuteMs !== 0) {
      others.push(slot);
      return;
    }
    for (let wall = Math.floor(start / hourMs) * hourMs; wall < end; wall += hourMs) {
      const midnight = Math.floor(wall / dayMs) * dayMs;
      const day = days.get(midnight) ?? dayAt(midnight);
      days.set(midnight, day);
      parts.push({
        slot,
        day,
        hour: (wall - midnight) / hourMs,
        from: Math.max(0, (start - wall) / minuteMs),
        until: Math.min(60, (end - wall) / minuteMs),
      });
    }
  });
  split = { parts, others };
  known.set(zone, split);
  return split;
}

function countOneByOne(
  expressions: readonly string[],
  zoneName: string | undefined,
  { from, until }: HourSlot,
): number {
  let count = 0;
  for (const { at } of timesAfter(expressions, from - 1, zoneName)) {
    if (at >= until) break;
    count += 1;
  }
  return count;
}

/** The times within several slots: how many, and the first and last of them in epoch milliseconds. */
export interface TimeSummary {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** Returns undefined if no time is in the slots. */
export function summarizeTimes(
  expressions: readonly string[],
  zoneName: string | undefined,
  slots: readonly HourSlot[],
): TimeSummary | undefined {
  const counts = countTimes(expressions, zoneName, slots);
  const firstSlot = slots[counts.findIndex((count) => count > 0)];
  const lastSlot = slots[counts.findLastIndex((count) => count > 0)];
  if (firstSlot === undefined || lastSlot === undefined) return undefined;
  const first = timesAfter(expressions, firstSlot.from - 1, zoneName).next().value!.at;
  let last = first;
  for (const { at } of timesAfter(expressions, lastSlot.from - 1, zoneName)) {
    if (at >= lastSlot.until) break;
    last = at;
  }
  return { count: counts.reduce((sum, count) => sum + count, 0), first, last };
}

/** A time of day by which a run must have succeeded. */
export interface DailyDeadline {
  /** `HH:MM`. */
  readonly by: string;
  /** Expressions of the starts; without any, each day has a deadline. */
  readonly start: readonly string[];
  /** Default: the machine's. */
  readonly zone: string | undefined;
}

/** Instants in epoch milliseconds. */
export interface Deadline {
  readonly at: number;
  /** Successful runs that ended from here on meet it: its day, or an earlier start for it. */
  readonly from: number;
}

/**
 * Returns the first deadline after an instant. A start counts for the first deadline after it, so that a run at 22:00 can
 * be expected by 06:30. Clock changes affect the deadline as they affect a schedule at this time of day.
 * @returns undefined when nothing starts any more
 */
export function findNextDeadline(daily: DailyDeadline, after: number): Deadline | undefined {
  const { by, zone } = daily;
  const start = daily.start.filter((text) => text !== engineStart);
  const { name } = findTimeZone(zone);
  const [hour, minute] = by.split(':').map(Number);
  const everyDay = [`CRON_TZ=${name} ${minute} ${hour} * * *`];
  const previous = findPrevious(everyDay, after + 1)!;
  const first = start.length === 0 ? previous : findNext(start, previous - 1, zone)?.at;
  if (first === undefined) return undefined;
  const { at } = findNext(everyDay, first)!;
  const date = dateAt(findTimeZone(zone), at);
  const [day] = listDays({ from: date, to: date }, name, 1);
  return { at, from: start.length === 0 ? day!.from : Math.min(first, day!.from) };
}
