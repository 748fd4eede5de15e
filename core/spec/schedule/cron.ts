import { CronPattern } from 'croner';
import { needsBothDays, oneTimePattern } from '../../model/workflow-rules.ts';

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
function fitsDay(fields: CronFields, day: Day): boolean {
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

/** A cron expression, as the few numbers that a search needs. */
export interface CronFields {
  /** Ascending. */
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Bit 0 is January. */
  readonly months: number;
  /** Bit 0 is the first day. */
  readonly days: number;
  /** Days of the form `15W` (nearest weekday), in ascending order. */
  readonly nearestWeekdays: readonly number[];
  readonly isLastDay: boolean;
  readonly isLastWeekday: boolean;
  /**
   * For each day of the week, Sunday first: 0 for none, otherwise bits for the first to the fifth of a month, and
   * {@link lastOfMonth}.
   */
  readonly weekdays: readonly number[];
  /** See `needsBothDays` in `core/model`. */
  readonly needsBothDays: boolean;
  /** Whether it is due in every hour, so that a clock change neither hides nor repeats any of its times. */
  readonly isHourly: boolean;
  /** Wall time of an expression that is due once; the other fields are then empty. See {@link nextWallTime}. */
  readonly once?: number;
}

/** Bit of `weekdays` for the last occurrence of the weekday in a month. */
const lastOfMonth = 32;

/** Expressions recur across files and over time. A few thousand of them take a few megabytes. */
const known = new Map<string, CronFields>();
const maxKnown = 4096;

/** Reads five or six fields that `core/spec` has validated. Throws a `TypeError` for others. */
export function readCronFields(expression: string): CronFields {
  const cached = known.get(expression);
  if (cached !== undefined) return cached;
  const fields = compile(expression);
  if (known.size >= maxKnown) known.clear();
  known.set(expression, fields);
  return fields;
}

const emptyFields: Omit<CronFields, 'once'> = {
  seconds: [],
  minutes: [],
  hours: [],
  months: 0,
  days: 0,
  nearestWeekdays: [],
  isLastDay: false,
  isLastWeekday: false,
  weekdays: [],
  needsBothDays: false,
  isHourly: false,
};

/** Returns the wall time of a date and time without a zone, as for {@link nextWallTime}; NaN for an invalid one. */
export function parseOneTime(expression: string): number {
  const wall = Date.parse(`${expression.replace(' ', 'T')}Z`);
  // Some engines accept 30 February as 2 March.
  const isExact = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(expression.slice(0, 10));
  return isExact ? wall : Number.NaN;
}

function compile(expression: string): CronFields {
  if (oneTimePattern.test(expression)) return { ...emptyFields, once: parseOneTime(expression) };
  const pattern = new CronPattern(expression, undefined, { mode: '5-or-6-parts' });
  const hours = listSet(pattern.hour);
  return {
    seconds: listSet(pattern.second),
    minutes: listSet(pattern.minute),
    hours,
    months: toBits(pattern.month),
    days: toBits(pattern.day),
    nearestWeekdays: listSet(pattern.nearestWeekdays).map((index) => index + 1),
    isLastDay: pattern.lastDayOfMonth,
    isLastWeekday: pattern.lastWeekday,
    weekdays: pattern.dayOfWeek.slice(0, 7),
    needsBothDays: needsBothDays(expression),
    isHourly: hours.length === 24,
  };
}

const listSet = (flags: readonly number[]): number[] => flags.flatMap((flag, index) => (flag ? [index] : []));

const toBits = (flags: readonly number[]): number =>
  flags.reduce((bits, flag, index) => (flag ? bits | (1 << index) : bits), 0);

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
  if (fields.once !== undefined) return fields.once >= from ? fields.once : undefined;
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
      const remainingDays = monthLength - day + 1;
      at += remainingDays * dayMs;
      weekday = (weekday + remainingDays) % 7;
    }
    day = 1;
    month = (month + 1) % 12;
    if (month === 0) year += 1;
  }
  return undefined;
}

/** Whether a month of this length can have a matching day; avoids checking each day of months that cannot. */
function hasDay(fields: CronFields, monthLength: number): boolean {
  const { days, isLastDay, isLastWeekday, nearestWeekdays } = fields;
  if (!fields.needsBothDays || isLastDay || isLastWeekday || nearestWeekdays.length > 0) return true;
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

/** Returns the day that begins at a wall time. */
export function dayAt(midnight: number): Day {
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    year,
    month,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    monthLength: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}

/** Minutes of one hour of a day; `until` is excluded. */
export interface HourPart {
  readonly day: Day;
  readonly hour: number;
  readonly from: number;
  readonly until: number;
}

/** An expression with the hours of its times. */
interface HourlyFields {
  readonly fields: CronFields;
  readonly hours: readonly boolean[];
}

/** Counts the wall times that match at least one of several expressions, hour by hour in ascending order. */
export class HourCounter {
  readonly #expressions: readonly HourlyFields[];
  #day: Day | undefined;
  #due: readonly HourlyFields[] = [];

  constructor(expressions: readonly CronFields[]) {
    this.#expressions = expressions.map((fields) => ({
      fields,
      hours: Array.from({ length: 24 }, (_, hour) => fields.hours.includes(hour)),
    }));
  }

  count({ day, hour, from, until }: HourPart): number {
    const today = this.#dueOn(day);
    if (today.length === 0) return 0;
    const due = today.length === 1 ? today : today.filter(({ hours }) => hours[hour]);
    const [only] = due;
    if (only === undefined || !only.hours[hour]) return 0;
    const getMinutes = ({ minutes }: CronFields): readonly number[] =>
      from === 0 && until === 60 ? minutes : minutes.filter((minute) => minute >= from && minute < until);
    if (due.length === 1) return getMinutes(only.fields).length * only.fields.seconds.length;
    const times = due.flatMap(({ fields }) =>
      getMinutes(fields).flatMap((minute) => fields.seconds.map((second) => minute * 60 + second)),
    );
    return new Set(times).size;
  }

  #dueOn(day: Day): readonly HourlyFields[] {
    if (day !== this.#day) {
      this.#day = day;
      this.#due = this.#expressions.filter(
        ({ fields }) => (fields.months >> day.month) & 1 && fitsDay(fields, day),
      );
    }
    return this.#due;
  }
}
