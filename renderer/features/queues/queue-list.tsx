import type { QueueView } from '../../../core/contract/queues.ts';
import { shortenRunIds } from '../../format/run-id.ts';
import { SideList } from '../../ui/list/side-list.tsx';
import { QueueBar } from './queue-bar.tsx';
import styles from './queues.module.css';

interface QueueListProps {
  readonly queues: readonly QueueView[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

const kinds = { global: 'configured limit', 'dag-based': 'workflow limit' } as const;

/** All queues, with one selected. */
export function QueueList({ queues, chosen, onChoose }: QueueListProps) {
  return (
    <SideList label="Queues" items={queues} keyOf={({ name }) => name} chosen={chosen} onChoose={onChoose}>
      {(queue) => (
        <div className={styles.listed}>
          <span className={styles.itemHead}>
            <span className={styles.name} dir="auto">
              {queue.name}
            </span>
            <span className={styles.kind}>
              {queue.maxConcurrency === undefined ? 'no limit' : kinds[queue.type]}
            </span>
          </span>
          <QueueBar queue={queue} />
          {queue.hold && queue.queuedCount > 0 && (
            <span className={styles.hold} title={queue.hold.reason}>
              {shortenRunIds(queue.hold.reason)}
            </span>
          )}
        </div>
      )}
    </SideList>
  );
}
