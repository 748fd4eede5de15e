import { Layers } from 'lucide-react';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { useQueues } from '../../api/queries/operating/queue-queries.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useQueryParams } from '../../app/address.ts';
import { NotInListNotice } from '../../ui/state/absent-notice.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { QueueDetail } from './queue-detail.tsx';
import { QueueList } from './queue-list.tsx';

/** The queues: their load, and the queued runs of one of them with reasons. */
export function QueuesPage() {
  const queues = useQueues();
  useSystemChanges('queues', queryKeys.queues);
  const [query, change] = useQueryParams();
  return (
    <Page title="Queues">
      <QueryState query={queues} what="The queues">
        {({ queues: all, processed }) => {
          const chosen = all.find(({ name }) => name === query.get('queue')) ?? all[0];
          if (chosen === undefined) return <NoQueues />;
          return (
            <>
              {!processed && (
                <Notice tone="warning">
                  No scheduler is running, so queued runs won’t start. Start the desktop app,{' '}
                  <code>engine scheduler</code> or <code>engine start-all</code>.
                </Notice>
              )}
              <NotInListNotice
                what="queue"
                requested={query.get('queue')}
                shown={chosen.name}
                isFetching={queues.isFetching}
                explanation="A queue that is not configured is listed only while it has runs."
              />
              <Split
                id="queues"
                label="Queue list width"
                direction="columns"
                initial={0.3}
                first={
                  <QueueList queues={all} chosen={chosen.name} onChoose={(queue) => change({ queue })} />
                }
                second={<QueueDetail key={chosen.name} queue={chosen} />}
              />
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}

function NoQueues() {
  return (
    <EmptyState icon={Layers} title="No active queues">
      <p>
        Runs are queued when you choose <b>Queue</b> instead of <b>Run</b>, or when a concurrency limit is
        reached. Set limits under <code>queues.config</code>.
      </p>
      <IdleQuote />
    </EmptyState>
  );
}
