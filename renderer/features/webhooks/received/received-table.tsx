import { Inbox } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { ReceivedDeliveryView, ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useReceived } from '../../../api/webhook-queries.ts';
import { useAddressQuery } from '../../../app/address.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryState } from '../../../ui/layout/query-state.tsx';
import table from '../../../ui/layout/table.module.css';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { useKeptRows } from '../../../ui/list/use-kept-rows.ts';
import { VirtualTable, type Column } from '../../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { EventName } from '../exchange/event-name.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import styles from '../webhooks.module.css';
import { describeReceived } from './describe-received.ts';
import { ReceivedDialog } from './received-dialog.tsx';

interface ReceivedTableProps {
  readonly receiver: ReceiverView;
  readonly filter: { readonly verified?: boolean };
}

/** What came to a receiver, newest first; each opens with its request and what it has started. */
export function ReceivedTable({ receiver, filter }: ReceivedTableProps) {
  const received = useReceived(receiver.id, filter);
  const [query, change] = useAddressQuery();
  const open = query.get('received');
  return (
    <>
      <QueryState query={received} what="What came to this receiver">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={Inbox} title="Nothing has come yet">
              <p>Give its address and its secret to a sender, or send a test event to it from here.</p>
            </EmptyState>
          ) : (
            <Rows
              rows={rows}
              foot={<LoadMore query={received} />}
              onOpen={({ id }) => change({ received: id })}
            />
          )
        }
      </QueryState>
      {open !== null && (
        <ReceivedDialog
          receiverId={receiver.id}
          id={open}
          onOpen={(id) => change({ received: id })}
          onClose={() => change({ received: undefined })}
        />
      )}
    </>
  );
}

interface RowsProps {
  readonly rows: readonly ReceivedDeliveryView[];
  readonly foot: React.ReactNode;
  readonly onOpen: (delivery: ReceivedDeliveryView) => void;
}

const keyOf = ({ id }: ReceivedDeliveryView): string => id;

function Rows({ rows, foot, onOpen }: RowsProps) {
  const kept = useKeptRows(
    useMemo(() => [...rows], [rows]),
    keyOf,
  );
  return (
    <VirtualTable
      label="What came"
      rows={kept}
      columns={columns}
      keyOf={keyOf}
      nameOf={({ event, id }) => `${event ?? 'request'} ${id}`}
      onOpen={onOpen}
      minWidth={640}
      foot={foot}
    />
  );
}

const columns: readonly Column<ReceivedDeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '34%',
    cell: (delivery) => <Outcome {...describeReceived(delivery)} />,
  },
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, action }) => <EventName event={event} action={action} />,
  },
  {
    id: 'runs',
    header: 'Runs',
    width: '24%',
    cell: ({ runs }) =>
      runs.length === 0 ? (
        <span className={table.faint}>None</span>
      ) : (
        <span className={styles.runs}>
          {runs.map(({ name, dagRunId }) => (
            <Link key={`${name}/${dagRunId}`} href={paths.run(name, dagRunId)} className={styles.cut}>
              {name}
            </Link>
          ))}
        </span>
      ),
  },
  {
    id: 'at',
    header: 'When',
    width: '118px',
    cell: ({ receivedAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={receivedAt} />
      </span>
    ),
  },
];
