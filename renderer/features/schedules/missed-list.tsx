import { Link } from 'wouter';
import { useSchedulers } from '../../api/queries/operating/system-queries.ts';
import { paths } from '../../app/paths.ts';
import { formatFull } from '../../format/time.ts';
import styles from './schedules.module.css';

const maxShown = 10;

/** Scheduled runs missed while no scheduler was running, the machine was asleep or schedules were paused. */
export function MissedList() {
  const notes = useSchedulers().data?.notes.filter(({ kind }) => kind === 'missed') ?? [];
  if (notes.length === 0) return null;
  return (
    <section className={styles.missed} aria-label="Missed runs">
      <h2>Missed runs</h2>
      <ul>
        {notes.slice(0, maxShown).map(({ at, fileName, message }, index) => (
          // Notes have no id; the list is always loaded as a whole.
          <li key={`${at} ${index}`}>
            <time dateTime={at}>{formatFull(at)}</time>{' '}
            {fileName !== undefined && <Link href={paths.workflow(fileName)}>{fileName}</Link>} {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
