import { CronPattern } from 'croner';
import { needsBothDays } from '../../model/workflow/cron-days.ts';

/** What a cron expression allows, in the few numbers that a search needs. */
export interface CronFields {
  /** Ascending. */
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Bit 0 is January. */
  readonly months: number;
  /** Bit 0 is the first day. */
  readonly days: number;
  /** Days whose nearest weekday is meant (`15W`), in ascending order. */
  readonly nearestWeekdays: readonly number[];
  readonly isLastDay: boolean;
  readonly isLastWeekday: boolean;
  /**
   * For each day of the week, Sunday first: 0 for none, else bits of the first to the fifth of a month, and
   * {@link lastOfMonth}.
   */
  readonly weekdays: readonly number[];
  /** See `needsBothDays` in `core/model`. */
  readonly needsBothDays: boolean;
  /** It is due in every hour, so that a change of the clock neither hides nor repeats anything of it. */
  readonly isHourly: boolean;
}

/** Bit of `weekdays` for the last such day of a month. */
export const lastOfMonth = 32;

/** Expressions recur, over files and over time. A few thousand of them are a few megabytes. */
const known = new Map<string, CronFields>();
const mostKnown = 4096;

/** Reads five or six fields that `core/spec` has checked. Throws a `TypeError` for others. */
export function readCronFields(expression: string): CronFields {
  const found = known.get(expression);
  if (found !== undefined) return found;
  const fields = compile(expression);
  if (known.size >= mostKnown) known.clear();
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
