import { Layers } from 'lucide-react';
import { Link } from 'wouter';
import type { QueueView } from '../../../core/contract/queues.ts';
import { useQueueItems } from '../../api/queries/operating/queue-queries.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { formatActor } from '../../../core/model/run/actor.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { ItemTable } from './item-table.tsx';
import { QueueActions } from './queue-actions.tsx';
import styles from './queues.module.css';

/** One queue: active and queued runs, and its actions. */
export function QueueDetail({ queue }: { readonly queue: QueueView }) {
  const items = useQueueItems(queue.name);
  const { name, state, changedBy, running, runningCount, maxConcurrency } = queue;
  const by = changedBy === undefined ? '' : ` ${formatActor(changedBy)}`;
  const limit = maxConcurrency === undefined ? '' : ` of ${maxConcurrency}`;
  return (
    <section className={styles.detail} aria-label={`Queue ${name}`}>
      <header className={styles.detailHead}>
        <h2 dir="auto">{name}</h2>
        <span className={styles.kind}>
          {runningCount}
          {limit} active · {queue.queuedCount} queued
        </span>
        <span className={styles.space} />
        <QueueActions queue={queue} />
      </header>
      {state !== 'open' && (
        <Notice tone="info">
          {state === 'paused'
            ? `Paused${by}. Queued runs do not start; active runs continue.`
            : `Drained${by}. New runs are rejected; queued runs still start.`}
        </Notice>
      )}
      {running.length > 0 && (
        <ul className={styles.running} aria-label="Active runs">
          {running.map((run) => (
            <li key={`${run.name}/${run.dagRunId}`}>
              <StatusBadge status={run.status} />
              <Link href={paths.run(run.name, run.dagRunId)} title={run.dagRunId}>
                {run.name} <span className={styles.id}>{shortenRunId(run.dagRunId)}</span>
              </Link>
              <Duration startedAt={run.startedAt} finishedAt={undefined} />
            </li>
          ))}
        </ul>
      )}
      <QueryState query={items} what="The queued runs">
        {(waiting) =>
          waiting.length === 0 ? (
            <EmptyState icon={Layers} title="Queue is empty">
              <p>
                <Link href={withQuery(paths.runs, { queue: name })}>View runs of this queue</Link>
              </p>
              {queue.runningCount === 0 && <IdleQuote />}
            </EmptyState>
          ) : (
            <ItemTable queue={name} items={waiting} foot={<LoadMore query={items} />} />
          )
        }
      </QueryState>
    </section>
  );
}
