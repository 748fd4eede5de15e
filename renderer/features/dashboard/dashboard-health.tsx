import { Link } from 'wouter';
import type { RunStatus } from '../../../core/model/run.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { statusLabels } from '../../format/labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { QueueBar } from '../queues/queue-bar.tsx';
import styles from './dashboard.module.css';
import { SectionEmptyState, Section } from './dashboard-lists.tsx';
import { useDailyOutcomes } from './trends.tsx';

/** Number of active runs, and of today's runs by outcome, each linking to the list. */
export function TodayCounts() {
  const { data } = useDailyOutcomes(1);
  const today = data?.days.at(-1);
  const counts = (
    [
      ['succeeded', today?.succeeded],
      ['failed', today?.failed],
      ['partially_succeeded', today?.partiallySucceeded],
      ['aborted', today?.aborted],
    ] as const
  ).filter(([status, count]) => status === 'succeeded' || status === 'failed' || (count ?? 0) > 0);
  return (
    <nav className={styles.counts} aria-label="Runs by status">
      <Count
        status="running"
        value={data && data.active.running + data.active.notStarted}
        when="now"
        href={linkTo({ status: 'running' })}
      />
      <Count status="queued" value={data?.active.queued} when="now" href={linkTo({ status: 'queued' })} />
      <span className={styles.countRule} />
      {counts.map(([status, value]) => (
        <Count
          key={status}
          status={status}
          value={value}
          when="today"
          href={linkTo({ status, range: 'today' })}
        />
      ))}
    </nav>
  );
}

const linkTo = (query: Readonly<Record<string, string>>): string => withQuery(paths.runs, query);

interface CountProps {
  readonly status: RunStatus;
  readonly value: number | undefined;
  readonly when: string;
  readonly href: string;
}

function Count({ status, value, when, href }: CountProps) {
  return (
    <Link href={href} className={styles.countTile} data-zero={value === 0 || undefined}>
      <span className={styles.countValue}>{value?.toLocaleString('en') ?? '–'}</span>
      <span className={styles.countLabel}>
        <StatusShape status={status} /> {statusLabels[status]} <span className={styles.faint}>{when}</span>
      </span>
    </Link>
  );
}

const maxQueuesShown = 8;

/** Load of the queues. */
export function QueueLoad({ list }: { readonly list: OperationOutput<'queues.list'> }) {
  const busy = list.queues.toSorted((a, b) => b.queuedCount - a.queuedCount);
  return (
    <Section title="Queues" more={{ href: paths.queues, label: 'All queues' }}>
      {busy.length === 0 ? (
        <SectionEmptyState>No active queues</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {busy.slice(0, maxQueuesShown).map((queue) => (
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
