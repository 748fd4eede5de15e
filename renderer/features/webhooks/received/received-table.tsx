import { Inbox } from 'lucide-react';
import { Link } from 'wouter';
import type { ReceivedDeliveryView, ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useReceivedDeliveries } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import table from '../../../ui/list/table.module.css';
import type { Column } from '../../../ui/list/virtual-table.tsx';
import { eventColumn, RequestTable, timeColumn } from '../exchange/exchange-table.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import styles from '../webhooks.module.css';
import { deliveryOutcome } from './describe-received.ts';
import { ReceivedDialog } from './received-dialog.tsx';

interface ReceivedTableProps {
  readonly receiver: ReceiverView;
  readonly filter: { readonly verified?: boolean };
}

/** The deliveries to a receiver, newest first; each row opens one. */
export function ReceivedTable({ receiver, filter }: ReceivedTableProps) {
  const received = useReceivedDeliveries(receiver.id, filter);
  const [query, change] = useQueryParams();
  const open = query.get('received');
  return (
    <>
      <RequestTable
        label="Received requests"
        what="The received requests"
        query={received}
        empty={
          <EmptyState icon={Inbox} title="No requests yet">
            <p>Configure the URL and the secret in the sending service.</p>
          </EmptyState>
        }
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        onOpen={({ id }) => change({ received: id })}
      />
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

const keyOf = ({ id }: ReceivedDeliveryView): string => id;
const nameOf = ({ event, id }: ReceivedDeliveryView): string => `${event ?? 'request'} ${id}`;

const columns: readonly Column<ReceivedDeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '34%',
    cell: (delivery) => <Outcome {...deliveryOutcome(delivery)} />,
  },
  eventColumn,
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
  timeColumn(({ receivedAt }) => receivedAt),
];
