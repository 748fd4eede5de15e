import { Link } from 'wouter';
import type { CalendarEntryView } from '../../../core/contract/schedules/calendars.ts';
import { paths } from '../../app/paths.ts';
import { formatHourAndMinute } from '../../format/time.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { describeEntry, shapeOf } from './describe-entry.ts';
import styles from './schedules.module.css';

interface DayColumnProps {
  readonly date: string;
  readonly isToday: boolean;
  readonly entries: readonly CalendarEntryView[];
}

const maxShown = 40;
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Scrolls today's column into view in a narrow window. */
const bringIntoSight = (column: HTMLElement | null): void =>
  column?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** One day: its entries by first time. */
export function DayColumn({ date, isToday, entries }: DayColumnProps) {
  const name = dayFormat.format(Date.parse(date));
  return (
    <section
      ref={isToday ? bringIntoSight : undefined}
      className={styles.day}
      data-today={isToday || undefined}
      aria-label={name}
    >
      <h2>
        {name}
        {isToday && <span className={styles.today}>Today</span>}
      </h2>
      <ul>
        {entries.slice(0, maxShown).map((entry) => (
          <Entry key={`${entry.fileName} ${entry.kind} ${entry.outcome}`} entry={entry} />
        ))}
      </ul>
      {entries.length === 0 && <p className={styles.quiet}>No runs</p>}
      {entries.length > maxShown && <p className={styles.quiet}>{entries.length - maxShown} more</p>}
    </section>
  );
}

function Entry({ entry }: { readonly entry: CalendarEntryView }) {
  const { fileName, name, outcome, count, first, run, kind } = entry;
  const words = describeEntry(entry);
  const href = run && count === 1 ? paths.run(run.name, run.dagRunId) : paths.workflow(fileName);
  const showsWords =
    outcome === 'skipped' || outcome === 'failed' || outcome === 'suspended' || kind !== 'start';
  return (
    <li data-outcome={outcome}>
      <Link href={href} className={styles.entry} title={words}>
        <StatusShape status={shapeOf(entry)} />
        <span className={styles.entryText}>
          <span className={styles.entryTime}>{formatHourAndMinute(first)}</span>{' '}
          <span className={styles.entryName}>{name}</span>{' '}
          {count > 1 && <span className={styles.times}>×{count}</span>}{' '}
          <span className={showsWords ? styles.entryReason : 'visually-hidden'}>{words}</span>
        </span>
      </Link>
    </li>
  );
}
