import { useState } from 'react';
import { Link } from 'wouter';
import type { DayOutcomesView } from '../../../core/contract/statistics.ts';
import { systemClock } from '../../base/clock.ts';
import { addDays, formatDay, formatDuration, readTimeZone, toDate } from '../../format/time.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { useRunStatistics } from '../../api/statistics-queries.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Section } from './dashboard-lists.tsx';
import styles from './dashboard.module.css';

/** Outcomes of the last days, today included, in the displayed time zone. */
export function useDailyOutcomes(days: number) {
  const today = toDate(systemClock.now());
  return useRunStatistics({ fromDate: addDays(today, 1 - days), toDate: today, zone: readTimeZone().name });
}

type Outcomes = Omit<DayOutcomesView, 'date'>;

const countRuns = ({ succeeded, partiallySucceeded, failed, aborted }: Outcomes): number =>
  succeeded + partiallySucceeded + failed + aborted;

/** Returns the share of successful runs; aborted runs say nothing about the workflow. Undefined without runs. */
export function successRate({ succeeded, partiallySucceeded, failed }: Outcomes): number | undefined {
  const judged = succeeded + partiallySucceeded + failed;
  return judged === 0 ? undefined : succeeded / judged;
}

/** Sums up days; the average duration is weighted by runs. */
export function sumOutcomes(days: readonly DayOutcomesView[]): Outcomes {
  const sum = (read: (day: DayOutcomesView) => number): number =>
    days.reduce((total, day) => total + read(day), 0);
  const timed = days.filter(({ averageSeconds }) => averageSeconds !== undefined);
  const runs = timed.reduce((total, day) => total + countRuns(day), 0);
  const spent = timed.reduce((total, day) => total + countRuns(day) * (day.averageSeconds ?? 0), 0);
  return {
    succeeded: sum(({ succeeded }) => succeeded),
    partiallySucceeded: sum(({ partiallySucceeded }) => partiallySucceeded),
    failed: sum(({ failed }) => failed),
    aborted: sum(({ aborted }) => aborted),
    ...(runs > 0 && { averageSeconds: spent / runs }),
  };
}

/** Formats `98.7%`; 100% and 0% only when they are exact. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 1000) / 10;
  if (percent === 100 && share < 1) return '99.9%';
  if (percent === 0 && share > 0) return '0.1%';
  return `${percent}%`;
}

const spans = ['7', '30'] as const;
type Span = (typeof spans)[number];
const choices = spans.map((value) => ({ value, label: `${value} days` }));

/** Success rate and average duration of the last 7 or 30 days, by day. */
export function Trends() {
  const [span, setSpan] = useState<Span>('7');
  const days = useDailyOutcomes(Number(span)).data?.days ?? [];
  const total = sumOutcomes(days);
  const rate = successRate(total);
  const { averageSeconds } = total;
  return (
    <Section
      title="Trends"
      aside={<Segmented label="Period" value={span} choices={choices} onChange={setSpan} />}
    >
      <div className={styles.trends}>
        <Trend
          days={days}
          title="Success rate"
          value={rate === undefined ? '–' : formatShare(rate)}
          note={`${total.failed.toLocaleString('en')} of ${countRuns(total).toLocaleString('en')} runs failed`}
        >
          <OutcomeBars days={days} />
        </Trend>
        <Trend
          days={days}
          title="Average duration"
          value={averageSeconds === undefined ? '–' : formatDuration(averageSeconds * 1000)}
          note={`${Math.round(countRuns(total) / Math.max(1, days.length)).toLocaleString('en')} runs a day`}
        >
          <DurationBars days={days} />
        </Trend>
      </div>
    </Section>
  );
}

interface TrendProps {
  readonly days: readonly DayOutcomesView[];
  readonly title: string;
  readonly value: string;
  readonly note: string;
  readonly children: React.ReactNode;
}

function Trend({ days, title, value, note, children }: TrendProps) {
  const first = days[0];
  return (
    <div className={styles.trend}>
      <div className={styles.trendText}>
        <span className={styles.countLabel}>{title}</span>
        <span className={styles.countValue}>{value}</span>
        <span className={styles.faint}>{note}</span>
      </div>
      <div className={styles.plot}>
        {children}
        <div className={styles.dates} aria-hidden="true">
          <span>{first && formatDay(toNoon(first.date)).replace(/ \d{4}$/, '')}</span>
          <span>today</span>
        </div>
      </div>
    </div>
  );
}

/** An instant of the date in nearly every time zone. */
const toNoon = (date: string): string => `${date}T12:00:00Z`;

const toPercent = (part: number, whole: number): string => `${whole === 0 ? 0 : (100 * part) / whole}%`;

interface DaysProps {
  readonly days: readonly DayOutcomesView[];
}

/** A bar per day, as high as its number of runs, in the colors of their outcomes. */
function OutcomeBars({ days }: DaysProps) {
  const most = Math.max(1, ...days.map(countRuns));
  return (
    <ol className={styles.dayBars} aria-label="Runs by day">
      {days.map((day) => (
        <DayBar key={day.date} date={day.date} text={formatOutcomes(day)}>
          <i data-outcome="failed" style={{ height: toPercent(day.failed, most) }} />
          <i data-outcome="other" style={{ height: toPercent(day.aborted + day.partiallySucceeded, most) }} />
          <i data-outcome="succeeded" style={{ height: toPercent(day.succeeded, most) }} />
        </DayBar>
      ))}
    </ol>
  );
}

/** A bar per day, as high as the average duration of its runs. */
function DurationBars({ days }: DaysProps) {
  const longest = Math.max(0, ...days.map(({ averageSeconds = 0 }) => averageSeconds));
  return (
    <ol className={styles.dayBars} aria-label="Average duration by day">
      {days.map(({ date, averageSeconds }) => (
        <DayBar
          key={date}
          date={date}
          text={averageSeconds === undefined ? 'no runs' : formatDuration(averageSeconds * 1000)}
        >
          <i data-outcome="duration" style={{ height: toPercent(averageSeconds ?? 0, longest) }} />
        </DayBar>
      ))}
    </ol>
  );
}

interface DayBarProps {
  readonly date: string;
  readonly text: string;
  readonly children: React.ReactNode;
}

function DayBar({ date, text, children }: DayBarProps) {
  const label = `${formatDay(toNoon(date))}: ${text}`;
  return (
    <li>
      <Link
        href={withQuery(paths.runs, { from: date, to: date })}
        className={styles.dayBar}
        title={label}
        aria-label={label}
      >
        {children}
      </Link>
    </li>
  );
}

function formatOutcomes(day: DayOutcomesView): string {
  const rate = successRate(day);
  if (rate === undefined) return countRuns(day) === 0 ? 'no runs' : `${day.aborted} aborted`;
  const counts = [
    `${formatShare(rate)} succeeded`,
    `${countRuns(day).toLocaleString('en')} ${countRuns(day) === 1 ? 'run' : 'runs'}`,
    ...(day.failed > 0 ? [`${day.failed.toLocaleString('en')} failed`] : []),
  ];
  return counts.join(', ');
}
