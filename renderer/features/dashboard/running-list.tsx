import { Link } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { triggerLabels } from '../../format/trigger.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { SectionEmptyState, Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 10;

/** The active runs. */
export function RunningList({
  runs,
  isLoaded,
}: {
  readonly runs: readonly RunSummaryView[];
  readonly isLoaded: boolean;
}) {
  return (
    <Section
      title="Active runs"
      count={runs.length}
      more={{ href: withQuery(paths.runs, { status: 'running' }), label: 'All active runs' }}
    >
      {runs.length === 0 ? (
        <>
          <SectionEmptyState>No active runs</SectionEmptyState>
          {isLoaded && (
            <div className={styles.idle}>
              <IdleQuote />
            </div>
          )}
        </>
      ) : (
        <ul className={styles.rows}>
          {runs.slice(0, maxShown).map(({ name, dagRunId, status, trigger, startedAt, createdAt }) => (
            <li key={`${name}/${dagRunId}`} className={styles.row}>
              <StatusBadge status={status} />
              <div className={styles.rowText}>
                <Link href={paths.run(name, dagRunId)} className={styles.rowName}>
                  {name}
                </Link>
                <span className={styles.reason}>
                  {triggerLabels[trigger]}, <RelativeTime iso={startedAt ?? createdAt} />
                </span>
              </div>
              <span className={styles.when}>
                <Duration startedAt={startedAt} finishedAt={undefined} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
