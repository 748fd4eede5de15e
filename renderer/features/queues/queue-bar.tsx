// A file of its own: the dashboard loads it without the page of queues.
import type { QueueView } from '../../../core/contract/queues.ts';
import { StatusMeter } from '../../ui/status-charts.tsx';
import styles from './queues.module.css';

/** Load of a queue: a bar with a text; only a text if it has no limit. */
export function QueueBar({ queue }: { readonly queue: QueueView }) {
  const { name, runningCount, queuedCount, maxConcurrency, state } = queue;
  const limit =
    maxConcurrency === undefined ? `${runningCount} active` : `${runningCount}/${maxConcurrency} active`;
  const words = [limit, queuedCount > 0 ? `${queuedCount} queued` : '', state === 'open' ? '' : state];
  const text = words.filter((word) => word !== '').join(' · ');
  // Without a limit, the queue is never full.
  if (maxConcurrency === undefined) return <p className={styles.load}>{text}</p>;
  return (
    <div className={styles.bar}>
      <StatusMeter
        label={`Usage of queue ${name}`}
        text={text}
        segments={[{ status: 'running', count: runningCount, done: true }]}
        total={maxConcurrency}
      />
    </div>
  );
}
