import { Link } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { paths } from '../../app/paths.ts';
import { describeCron } from '../../format/cron.ts';
import { formatDayAndTime } from '../../format/time.ts';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { SectionEmptyState, Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 8;

/** The workflows that are scheduled to start next. */
export function NextList({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const due = dags
    .flatMap((dag) => (dag.nextRun === undefined ? [] : [{ ...dag, nextRun: dag.nextRun }]))
    .toSorted((left, right) => (left.nextRun < right.nextRun ? -1 : 1));
  const suspended = dags.filter((dag) => dag.suspended && dag.schedule.start.length > 0).length;
  return (
    <Section title="Upcoming" more={{ href: paths.schedule, label: 'Schedule' }}>
      {due.length === 0 ? (
        <SectionEmptyState>
          {suspended === 0 ? 'No scheduled workflows' : 'All schedules are suspended'}
        </SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {due.slice(0, maxShown).map(({ fileName, name, nextRun, schedule }) => (
            <li key={fileName} className={styles.row}>
              <div className={styles.rowText}>
                <Link href={paths.workflow(fileName)} className={styles.rowName}>
                  {name}
                </Link>
                <span className={styles.reason}>{describeCron(schedule.start[0] ?? '')}</span>
              </div>
              <span className={styles.when}>
                <RelativeTime iso={nextRun} />
                <span className={styles.absolute}>{formatDayAndTime(nextRun)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
