import { engineStart } from '../../model/workflow-rules.ts';
import { countInHour, type CronFields } from './cron.ts';
import { readSchedule, timesAfter, type CronSchedule, type Day } from './next-run.ts';
import { findTimeZone } from './time-zone.ts';

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
  if (due.length === 0) return slots.map(() => 0);
  const schedules = due.map((text) => readSchedule(text, zoneName));
  const [first] = schedules;
  const isUniform = schedules.every(({ zone, fields }) => zone === first!.zone && fields.once === undefined);
  return slots.map(
    (slot) => (isUniform ? countByRule(schedules, slot) : undefined) ?? countOneByOne(due, zoneName, slot),
  );
}

/** Returns undefined if a clock change or a slot that does not begin with a minute requires a search. */
function countByRule(schedules: readonly CronSchedule[], { from, until }: HourSlot): number | undefined {
  const { zone } = schedules[0]!;
  if (zone.nextChange(from - nearMs, until + nearMs) !== undefined) return undefined;
  const offset = zone.offsetAt(from);
  const [start, end] = [from + offset, until + offset];
  if (start % minuteMs !== 0 || end % minuteMs !== 0) return undefined;
  const fields = schedules.map((schedule) => schedule.fields);
  let count = 0;
  for (let hour = Math.floor(start / hourMs) * hourMs; hour < end; hour += hourMs) {
    const minutes = {
      from: Math.max(0, (start - hour) / minuteMs),
      until: Math.min(60, (end - hour) / minuteMs),
    };
    count += countInHour(fields as readonly CronFields[], hour, minutes);
  }
  return count;
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
