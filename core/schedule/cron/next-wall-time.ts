import type { CronFields } from './fields.ts';
import { fitsDay } from './fits-day.ts';

const dayMs = 86_400_000;

/** The calendar repeats after 400 years; 29 February on a particular weekday occurs within 40. */
const maxYears = 40;

/** Fields that no date matches, so that the search runs only once for them. */
const neverDue = new WeakSet<CronFields>();

/**
 * Returns the first wall time that matches an expression, at or after another one. A wall time is represented as the
 * epoch milliseconds that it would be in UTC.
 * @returns undefined when there is none, as for 30 February
 */
export function nextWallTime(fields: CronFields, from: number): number | undefined {
  if (neverDue.has(fields)) return undefined;
  const start = Math.ceil(from / 1000) * 1000;
  let day = Math.floor(start / dayMs) * dayMs;
  const today = findDay(fields, day, day);
  if (today !== undefined) {
    const time = nextTimeOfDay(fields, (start - day) / 1000);
    if (time !== undefined) return day + time * 1000;
  }
  day += dayMs;
  const match = findDay(fields, day, day + maxYears * 366 * dayMs);
  const first = nextTimeOfDay(fields, 0);
  if (match !== undefined && first !== undefined) return match + first * 1000;
  neverDue.add(fields);
  return undefined;
}

/** Returns the first matching day in a range, both ends as their midnights. */
function findDay(fields: CronFields, from: number, to: number): number | undefined {
  const date = new Date(from);
  let [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  let weekday = date.getUTCDay();
  for (let at = from; at <= to;) {
    const monthLength = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    if ((fields.months >> month) & 1 && hasDay(fields, monthLength)) {
      for (; day <= monthLength; day += 1, at += dayMs, weekday = (weekday + 1) % 7) {
        if (at > to) return undefined;
        if (fitsDay(fields, { year, month, day, weekday, monthLength })) return at;
      }
    } else {
      const left = monthLength - day + 1;
      at += left * dayMs;
      weekday = (weekday + left) % 7;
    }
    day = 1;
    month = (month + 1) % 12;
    if (month === 0) year += 1;
  }
  return undefined;
}

/** Whether a month of this length can have a matching day; avoids checking each day of months that cannot. */
function hasDay(fields: CronFields, monthLength: number): boolean {
  const { days, needsBothDays, isLastDay, isLastWeekday, nearestWeekdays } = fields;
  if (!needsBothDays || isLastDay || isLastWeekday || nearestWeekdays.length > 0) return true;
  return (days & ((1 << monthLength) - 1)) !== 0;
}

/** Returns the first matching second of a day, at or after another one; undefined when there is none left. */
function nextTimeOfDay({ hours, minutes, seconds }: CronFields, from: number): number | undefined {
  const [hour, minute, second] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60];
  for (const h of hours) {
    if (h < hour) continue;
    if (h > hour) return h * 3600 + minutes[0]! * 60 + seconds[0]!;
    for (const m of minutes) {
      if (m < minute) continue;
      if (m > minute) return h * 3600 + m * 60 + seconds[0]!;
      const s = seconds.find((candidate) => candidate >= second);
      if (s !== undefined) return h * 3600 + m * 60 + s;
    }
  }
  return undefined;
}
