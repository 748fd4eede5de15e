import { engineStart } from '../../model/workflow-rules.ts';
import { dateAt, findNext, findPrevious, listDays } from './next-run.ts';
import { findTimeZone } from './time-zone.ts';

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
