import { Link } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunIds } from '../../format/run-id.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { SectionEmptyState, Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 6;

/** Queued runs with their reasons. */
export function WaitingList({ runs }: { readonly runs: readonly RunSummaryView[] }) {
  return (
    <Section title="Queued" count={runs.length} more={{ href: paths.queues, label: 'Queues' }}>
      {runs.length === 0 ? (
        <SectionEmptyState>Queue is empty</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {runs.slice(0, maxShown).map(({ name, dagRunId, error, createdAt }) => (
            <li key={`${name}/${dagRunId}`} className={styles.row}>
              <StatusShape status="queued" />
              <div className={styles.rowText}>
                <Link href={paths.run(name, dagRunId)} className={styles.rowName}>
                  {name}
                </Link>
                <span className={styles.reason} data-long title={error}>
                  {error && shortenRunIds(error)}
                </span>
              </div>
              <span className={styles.when}>
                <RelativeTime iso={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
