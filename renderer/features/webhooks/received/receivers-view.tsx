import { Inbox } from 'lucide-react';
import { useReceivers } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NotInListNotice } from '../../../ui/state/absent-notice.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { ReceiverDetail } from './receiver-detail.tsx';
import { ReceiverList } from './receiver-list.tsx';

/** The receivers, and the selected one with its deliveries. */
export function ReceiversView({ onMake }: { readonly onMake: () => void }) {
  const receivers = useReceivers();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={receivers} what="The receivers">
      {(all) => {
        const chosen = all.find(({ id }) => id === query.get('receiver')) ?? all[0];
        if (chosen === undefined) return <NoReceivers onMake={onMake} />;
        return (
          <>
            <NotInListNotice
              what="receiver"
              requested={query.get('receiver')}
              shown={chosen.id}
              isFetching={receivers.isFetching}
            />
            <Split
              id="receivers"
              label="Receiver list width"
              direction="columns"
              initial={0.3}
              first={
                <ReceiverList
                  receivers={all}
                  chosen={chosen.id}
                  onChoose={(receiver) => change({ receiver, received: undefined })}
                />
              }
              second={<ReceiverDetail key={chosen.id} receiver={chosen} />}
            />
          </>
        );
      }}
    </QueryState>
  );
}

function NoReceivers({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState icon={Inbox} title="No receivers yet">
      <p>
        A receiver is a URL for incoming webhooks. Workflows use it with <code>on: webhook:</code>.
      </p>
      <Button icon={Inbox} onPress={onMake}>
        Add receiver
      </Button>
    </EmptyState>
  );
}
