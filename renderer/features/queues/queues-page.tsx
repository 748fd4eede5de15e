import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { QueueView } from '../../../core/contract/queues.ts';
import { shortenRunIds } from '../../format/values.ts';
import { SideList, ListAndDetail, IdleQuote } from '../../ui/list/list-end.tsx';
import { useCan } from '../../api/session-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useQueues } from '../../api/system-queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { Term } from '../../ui/term.tsx';
import { QueueBar } from './queue-bar.tsx';
import styles from './queues.module.css';
import { LimitDialog } from './limit-dialog.tsx';
import { QueueDetail } from './queue-detail.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

interface QueueListProps {
  readonly queues: readonly QueueView[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

const kinds = { global: 'configured limit', 'dag-based': 'workflow limit' } as const;

/** All queues, with one selected. */
function QueueList({ queues, chosen, onChoose }: QueueListProps) {
  return (
    <SideList label="Queues" items={queues} getKey={({ name }) => name} chosen={chosen} onChoose={onChoose}>
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

/** The queues: their load, and the queued runs of one of them with reasons. */
export function QueuesPage() {
  const queues = useQueues();
  useSystemChanges('queues', queryKeys.queues);
  const [query, change] = useQueryParams();
  const isListed = queues.data !== undefined && queues.data.queues.length > 0;
  return (
    <Page
      title={getPageLabel(paths.queues)}
      actions={isListed && <AddQueueButton onAdded={(queue) => change({ queue })} />}
    >
      <QueryState query={queues} what="The queues">
        {({ queues: all, processed }) => {
          const chosen = all.find(({ name }) => name === query.get('queue')) ?? all[0];
          if (chosen === undefined)
            return (
              <NoQueues>
                <AddQueueButton onAdded={(queue) => change({ queue })} />
              </NoQueues>
            );
          return (
            <>
              {!processed && (
                <Notice tone="warning">
                  No scheduler is running, so queued runs won’t start. Start the desktop app,{' '}
                  <code>engine scheduler</code> or <code>engine start-all</code>.
                </Notice>
              )}
              <ListAndDetail
                id="queues"
                what="Queue"
                requested={query.get('queue')}
                shown={chosen.name}
                isFetching={queues.isFetching}
                explanation="Unconfigured queues are listed only while they have runs."
                list={<QueueList queues={all} chosen={chosen.name} onChoose={(queue) => change({ queue })} />}
              >
                <QueueDetail key={chosen.name} queue={chosen} />
              </ListAndDetail>
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}

/** Adds a queue with a limit of its own. */
function AddQueueButton({ onAdded }: { readonly onAdded: (queue: string) => void }) {
  const may = useCan('queues.setLimit');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Plus} unavailable={may.reason} onPress={() => setOpen(true)}>
        Add queue
      </Button>
      {isOpen && <LimitDialog onSaved={onAdded} onClose={() => setOpen(false)} />}
    </>
  );
}

function NoQueues({ children }: { readonly children: React.ReactNode }) {
  return (
    <EmptyState illustration="queues" title="No active queues">
      <p>
        A <Term name="queue">queue</Term> holds runs back until there is capacity. Add one to limit several
        workflows together.
      </p>
      {children}
      <IdleQuote />
    </EmptyState>
  );
}
