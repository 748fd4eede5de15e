import { Link } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { QueueBar } from '../queues/queue-bar.tsx';
import { SectionEmptyState, Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 8;

/** Load of the queues. */
export function QueueLoad({ list }: { readonly list: OperationOutput<'queues.list'> }) {
  const busy = list.queues.toSorted((left, right) => right.queuedCount - left.queuedCount);
  return (
    <Section title="Queues" more={{ href: paths.queues, label: 'All queues' }}>
      {busy.length === 0 ? (
        <SectionEmptyState>No active queues</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {busy.slice(0, maxShown).map((queue) => (
            <li key={queue.name} className={styles.row}>
              <div className={`${styles.rowText} ${styles.queueName}`}>
                <Link href={withQuery(paths.queues, { queue: queue.name })} className={styles.rowName}>
                  {queue.name}
                </Link>
              </div>
              <QueueBar queue={queue} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
