import { useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import { addDays, startOfWeek, toDate, readTimeZone } from '../../format/time.ts';
import { useRunCalendar } from '../../api/run-queries.ts';
import { systemClock } from '../../base/clock.ts';
import { useIntersection } from '../../ui/page.tsx';
import styles from './runs.module.css';

/** Run counts of one day. */
export interface DayRunCounts {
  readonly date: string;
  readonly total: number;
  readonly failed: number;
}

/** A day in the calendar. */
interface DayCell extends DayRunCounts {
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
    const cell = { date, total, failed, level: getLevel(total, limit) };
    if (index % weekDays === 0) weeks.push([cell]);
    else weeks.at(-1)!.push(cell);
  }
  return weeks;
}

/** By square root, so that one busy day does not make all others pale. */
const getLevel = (total: number, max: number): number =>
  total === 0 ? 0 : Math.max(1, Math.ceil(4 * Math.sqrt(total / max)));

const weeksShown = 53;

interface HeatMapProps {
  readonly name: string;
  /** The day that the list is filtered by, if any. */
  readonly chosen: string;
  readonly onChoose: (date: string) => void;
}

/** A year of days, colored by number of runs. Arrow keys move between days, Enter filters the runs by day. */
export function HeatMap({ name, chosen, onChoose }: HeatMapProps) {
  const today = toDate(systemClock.now());
  const first = findFirstDay(today, weeksShown);
  const calendar = useRunCalendar({
    fromDate: first,
    toDate: today,
    zone: readTimeZone().name,
    ...(name !== '' && { name }),
  });
  const weeks = groupIntoWeeks(first, today, calendar.data?.days ?? []);
  const [focused, setFocused] = useState(chosen || today);
  const shown = useIntersection<HTMLButtonElement>(true);
  const move = (event: React.KeyboardEvent<HTMLElement>): void => {
    const days = weeks.flat();
    const step = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const index = days.findIndex(({ date }) => date === focused) + step;
    const next = days[Math.min(days.length - 1, Math.max(0, index))];
    if (next === undefined) return;
    setFocused(next.date);
    event.currentTarget.querySelector<HTMLElement>(`[data-date="${next.date}"]`)?.focus();
  };
  return (
    <div className={styles.box}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move the focus between its buttons */}
      <div className={styles.map} role="group" aria-label="Runs by day" onKeyDown={move}>
        {weeks.map((week, index) => (
          <div key={week[0]?.date} className={styles.week}>
            <span className={styles.month} aria-hidden="true">
              {getMonth(weeks[index - 1]?.[0], week[0], weeks[index + 1]?.[0])}
            </span>
            {week.map((day) => (
              <button
                key={day.date}
                ref={day.date === (chosen || today) ? shown : undefined}
                type="button"
                data-date={day.date}
                data-level={day.level}
                data-failed={day.failed > 0 || undefined}
                aria-pressed={day.date === chosen}
                aria-label={formatDay(day)}
                title={formatDay(day)}
                tabIndex={day.date === focused ? 0 : -1}
                onFocus={() => setFocused(day.date)}
                onClick={() => onChoose(day.date === chosen ? '' : day.date)}
              />
            ))}
          </div>
        ))}
      </div>
      <Legend />
    </div>
  );
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Returns the label of a month that begins in a week, at its first week; empty if there is no room before the
 * next label.
 */
function getMonth(
  before: DayCell | undefined,
  cell: DayCell | undefined,
  after: DayCell | undefined,
): string {
  const [last, month, next] = [before, cell, after].map((day) => day?.date.slice(0, 7));
  if (cell === undefined || last === month || (next !== undefined && next !== month)) return '';
  return monthFormat.format(Date.parse(cell.date));
}

const formatDay = ({ date, total, failed }: DayCell): string => {
  const runs = total === 0 ? 'no runs' : pluralize(total, 'run');
  return `${dayFormat.format(Date.parse(date))}: ${runs}${failed > 0 ? `, ${failed} failed` : ''}`;
};

const Legend = () => (
  <p className={styles.legend}>
    <span>Fewer</span>
    {[0, 1, 2, 3, 4].map((level) => (
      <i key={level} data-level={level} />
    ))}
    <span>More</span>
    <i data-level={2} data-failed />
    <span>With failures</span>
  </p>
);
