import type { QueueView } from '../../../core/contract/queues.ts';
import { StatusMeter } from '../../ui/status/status-meter.tsx';
import styles from './queues.module.css';

/** How full a queue is: a bar of its limit, with words; words alone where there is none. */
export function QueueBar({ queue }: { readonly queue: QueueView }) {
  const { name, runningCount, queuedCount, maxConcurrency, state } = queue;
  const limit =
    maxConcurrency === undefined ? `${runningCount} active` : `${runningCount}/${maxConcurrency} active`;
  const words = [limit, queuedCount > 0 ? `${queuedCount} queued` : '', state === 'open' ? '' : state];
  const text = words.filter((word) => word !== '').join(' · ');
  // Without a limit no number of runs fills it.
  if (maxConcurrency === undefined) return <p className={styles.load}>{text}</p>;
  return (
    <div className={styles.bar}>
      <StatusMeter
        label={`Load of the queue ${name}`}
        text={text}
        parts={[{ status: 'running', count: runningCount, done: true }]}
        total={maxConcurrency}
      />
    </div>
  );
}
