import { type CronFields, lastOfMonth } from './fields.ts';

/** A calendar day. */
export interface Day {
  readonly year: number;
  /** 0-based. */
  readonly month: number;
  /** 1-based. */
  readonly day: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  /** Number of days in its month. */
  readonly monthLength: number;
}

/** Whether an expression is due on a day: by day of the month, day of the week, or both (`crontab(5)`). */
export function fitsDay(fields: CronFields, day: Day): boolean {
  const byMonth = fitsDayOfMonth(fields, day);
  const byWeek = fitsWeekday(fields.weekdays[day.weekday] ?? 0, day);
  return fields.needsBothDays ? byMonth && byWeek : byMonth || byWeek;
}

function fitsDayOfMonth(fields: CronFields, { day, weekday, monthLength }: Day): boolean {
  if ((fields.days >> (day - 1)) & 1) return true;
  if (fields.isLastDay && day === monthLength) return true;
  const firstWeekday = (weekday - (day - 1) + 35) % 7;
  if (fields.isLastWeekday && day === lastWeekday(firstWeekday, monthLength)) return true;
  return fields.nearestWeekdays.some(
    (target) => target <= monthLength && nearestWeekday(target, firstWeekday, monthLength) === day,
  );
}

function fitsWeekday(allowed: number, { day, monthLength }: Day): boolean {
  const nth = Math.ceil(day / 7);
  return ((allowed >> (nth - 1)) & 1) === 1 || ((allowed & lastOfMonth) !== 0 && day + 7 > monthLength);
}

/** Returns the day, or the Friday before or Monday after it within the month. */
function nearestWeekday(day: number, firstWeekday: number, monthLength: number): number {
  const weekday = (firstWeekday + day - 1) % 7;
  if (weekday === 0) return day === monthLength ? day - 2 : day + 1;
  if (weekday === 6) return day === 1 ? day + 2 : day - 1;
  return day;
}

function lastWeekday(firstWeekday: number, monthLength: number): number {
  const weekday = (firstWeekday + monthLength - 1) % 7;
  if (weekday === 0) return monthLength - 2;
  return weekday === 6 ? monthLength - 1 : monthLength;
}
