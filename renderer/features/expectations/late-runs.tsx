import { AlarmClock } from 'lucide-react';
import { Link } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { pluralize } from '../../../core/base/text.ts';
import { formatFull, toDate } from '../../format/time.ts';
import { paths } from '../../navigation/address.ts';
import { MissedMark } from './missed-mark.tsx';
import styles from './expectations.module.css';

type Missed = OperationOutput<'schedules.missed'>['missed'];

const maxShown = 10;
const sectionId = 'late-runs';

/** Late, long and missing runs of the displayed days. */
export function LateRuns({ missed }: { readonly missed: Missed }) {
  if (missed.length === 0) return null;
  return (
    <section id={sectionId} className={styles.expectations} aria-labelledby={`${sectionId}-title`}>
      <h2 id={`${sectionId}-title`}>Late, long and missing runs</h2>
      <ul className={styles.list}>
        {missed.slice(0, maxShown).map((miss) => (
          <li key={`${miss.fileName} ${miss.kind} ${miss.deadline} ${miss.dagRunId ?? ''}`}>
            <time dateTime={miss.deadline}>{formatFull(miss.deadline)}</time>{' '}
            <Link href={paths.workflow(miss.fileName)}>{miss.name}</Link> <MissedMark missed={[miss]} />{' '}
            {miss.message}{' '}
            {miss.dagRunId !== undefined && <Link href={paths.run(miss.name, miss.dagRunId)}>Show run</Link>}
          </li>
        ))}
      </ul>
      {missed.length > maxShown && <p>{missed.length - maxShown} more</p>}
    </section>
  );
}

/** Number of late, long and missing runs above the calendar; scrolls to their list. */
export function LateRunsSummary({ missed }: { readonly missed: Missed }) {
  if (missed.length === 0) return null;
  const show = (): void => document.getElementById(sectionId)?.scrollIntoView({ block: 'nearest' });
  return (
    <button type="button" className={styles.summary} onClick={show}>
      <AlarmClock size={12} aria-hidden="true" />
      {missed.length} late, long or missing
    </button>
  );
}

/** Counts late, long and missing runs by date in the user's time zone. */
export const countByDate = (missed: Missed): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(missed, ({ deadline }) => toDate(Date.parse(deadline)))].map(([date, { length }]) => [
      date,
      length,
    ]),
  );

/** Mark of a day with late, long or missing runs. */
export function LateDayMark({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <span
      className={`${styles.mark} ${styles.dayMark}`}
      title={pluralize(count, 'late, long or missing run')}
    >
      <AlarmClock size={12} aria-hidden="true" />
      <span>
        {count}
        <span className="visually-hidden"> late, long or missing</span>
      </span>
    </span>
  );
}
