import { addDays, startOfWeek } from '../../../format/day-clock.ts';

/** Run counts of one day. */
export interface DayRunCounts {
  readonly date: string;
  readonly total: number;
  readonly failed: number;
}

/** A day in the calendar. */
export interface DayCell extends DayRunCounts {
  /** 0 for none, up to 4 for the most. */
  readonly level: number;
}

/** A week from Monday; future days are missing. */
export type Week = readonly DayCell[];

const weekDays = 7;

/** Returns the first shown day: a Monday, the specified number of weeks before that of `today`. */
export const findFirstDay = (today: string, weeks: number): string =>
  addDays(startOfWeek(today), -weekDays * (weeks - 1));

/** Arranges days in weeks, with a color level by number of runs. */
export function groupIntoWeeks(first: string, today: string, figures: readonly DayRunCounts[]): Week[] {
  const known = new Map(figures.map((day) => [day.date, day]));
  const limit = figures.reduce((max, { total }) => Math.max(max, total), 0);
  const weeks: DayCell[][] = [];
  for (let date = first, index = 0; date <= today; date = addDays(date, 1), index += 1) {
    const { total, failed } = known.get(date) ?? { total: 0, failed: 0 };
    const cell = { date, total, failed, level: levelOf(total, limit) };
    if (index % weekDays === 0) weeks.push([cell]);
    else weeks.at(-1)!.push(cell);
  }
  return weeks;
}

/** By square root, so that one busy day does not make all others pale. */
const levelOf = (total: number, max: number): number =>
  total === 0 ? 0 : Math.max(1, Math.ceil(4 * Math.sqrt(total / max)));
