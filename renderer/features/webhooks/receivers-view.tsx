import { Inbox } from 'lucide-react';
import { pluralize } from '../../../core/base/text.ts';
import type { ReceiverView } from '../../../core/contract/receivers.ts';
import { SideList, NotInListNotice } from '../../ui/list/side-list.tsx';
import items from '../../ui/list/list.module.css';
import { useReceivers } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Split } from '../../ui/splitter.tsx';
import { Outcome } from './request-table.tsx';
import { schemeLabels } from './receiver-dialog.tsx';
import { ReceiverDetail } from './receiver-detail.tsx';

interface ReceiverListProps {
  readonly receivers: readonly ReceiverView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** All receivers, with one selected. */
function ReceiverList({ receivers, chosen, onChoose }: ReceiverListProps) {
  return (
    <SideList label="Receivers" items={receivers} getKey={({ id }) => id} chosen={chosen} onChoose={onChoose}>
      {({ name, scheme, active, workflows }) => (
        <>
          <span className={items.itemName}>{name}</span>
          <span className={items.itemMore}>{schemeLabels[scheme].label}</span>
          <span className={items.itemMore}>
            <Outcome {...toListenersOutcome(active, workflows.length)} />
          </span>
        </>
      )}
    </SideList>
  );
}

function toListenersOutcome(active: boolean, workflows: number): React.ComponentProps<typeof Outcome> {
  if (!active) return { tone: 'quiet', children: 'Disabled' };
  if (workflows === 0) return { tone: 'quiet', children: 'No workflows' };
  return { tone: 'good', children: pluralize(workflows, 'workflow') };
}

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
              what="Receiver"
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
    <EmptyState illustration="webhooks" title="No receivers yet">
      <p>
        A receiver is a URL for incoming webhooks. Workflows use it with <code>on: webhook:</code>.
      </p>
      <Button icon={Inbox} onPress={onMake}>
        New receiver
      </Button>
    </EmptyState>
  );
}
