import { Link } from 'wouter';
import { useSchedulers } from '../../api/queries/operating/system-queries.ts';
import { paths } from '../../app/paths.ts';
import { formatFull } from '../../format/time.ts';
import styles from './schedules.module.css';

const shown = 10;

/** Starts that were missed while nobody served the schedules, the machine slept or they were paused. */
export function MissedList() {
  const notes = useSchedulers().data?.notes.filter(({ kind }) => kind === 'missed') ?? [];
  if (notes.length === 0) return null;
  return (
    <section className={styles.missed} aria-label="Missed runs">
      <h2>Missed runs</h2>
      <ul>
        {notes.slice(0, shown).map(({ at, fileName, message }, index) => (
          // Notes have no name of their own; the list is always read as a whole.
          <li key={`${at} ${index}`}>
            <time dateTime={at}>{formatFull(at)}</time>{' '}
            {fileName !== undefined && <Link href={paths.workflow(fileName)}>{fileName}</Link>} {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
