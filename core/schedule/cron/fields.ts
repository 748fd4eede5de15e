import { CronPattern } from 'croner';
import { needsBothDays } from '../../model/workflow/cron-days.ts';

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
}

/** Bit of `weekdays` for the last occurrence of the weekday in a month. */
export const lastOfMonth = 32;

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

function compile(expression: string): CronFields {
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
