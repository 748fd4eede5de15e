import { Send } from 'lucide-react';
import { useMemo } from 'react';
import type { DeliveryView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useHookDeliveries, type DeliveryOutcome } from '../../../api/webhook-queries.ts';
import { useAddressQuery } from '../../../app/address.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryState } from '../../../ui/layout/query-state.tsx';
import table from '../../../ui/layout/table.module.css';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { useKeptRows } from '../../../ui/list/use-kept-rows.ts';
import { VirtualTable, type Column } from '../../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { EventName } from '../exchange/event-name.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { describeAnswer } from './describe-answer.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';

interface DeliveryTableProps {
  readonly hookId: number;
  readonly outcome: DeliveryOutcome;
}

/** Attempts to deliver, newest first; each opens with its request and its response. */
export function DeliveryTable({ hookId, outcome }: DeliveryTableProps) {
  const deliveries = useHookDeliveries(hookId, outcome);
  const [query, change] = useAddressQuery();
  const open = Number(query.get('delivery') ?? Number.NaN);
  return (
    <>
      <QueryState query={deliveries} what="The list of deliveries">
        {(rows) =>
          rows.length === 0 ? (
            <NoDeliveries outcome={outcome} />
          ) : (
            <Rows
              rows={rows}
              foot={<LoadMore query={deliveries} />}
              onOpen={({ id }) => change({ delivery: String(id) })}
            />
          )
        }
      </QueryState>
      {Number.isInteger(open) && (
        <DeliveryDialog hookId={hookId} deliveryId={open} onClose={() => change({ delivery: undefined })} />
      )}
    </>
  );
}

interface RowsProps {
  readonly rows: readonly DeliveryView[];
  readonly foot: React.ReactNode;
  readonly onOpen: (delivery: DeliveryView) => void;
}

const keyOf = ({ id }: DeliveryView): string => String(id);

function Rows({ rows, foot, onOpen }: RowsProps) {
  const kept = useKeptRows(
    useMemo(() => [...rows], [rows]),
    keyOf,
  );
  return (
    <VirtualTable
      label="Deliveries"
      rows={kept}
      columns={columns}
      keyOf={keyOf}
      nameOf={({ event, id }) => `${event} ${id}`}
      onOpen={onOpen}
      minWidth={640}
      foot={foot}
    />
  );
}

const columns: readonly Column<DeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '30%',
    cell: ({ delivered, status, statusCode }) => (
      <Outcome tone={delivered ? 'good' : 'bad'}>{describeAnswer({ delivered, status, statusCode })}</Outcome>
    ),
  },
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, action }) => <EventName event={event} action={action} />,
  },
  {
    id: 'guid',
    header: 'GUID',
    width: '110px',
    cell: ({ guid, redelivery }) => (
      <span className={`${table.code} ${table.muted}`} title={guid}>
        {guid.slice(0, 8)}
        {redelivery && ' again'}
      </span>
    ),
  },
  {
    id: 'took',
    header: 'Took',
    width: '88px',
    isNumber: true,
    cell: ({ durationMs }) => <span className={table.muted}>{durationMs} ms</span>,
  },
  {
    id: 'at',
    header: 'When',
    width: '118px',
    cell: ({ deliveredAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={deliveredAt} />
      </span>
    ),
  },
];

function NoDeliveries({ outcome }: { readonly outcome: DeliveryOutcome }) {
  return outcome === 'failure' ? (
    <EmptyState icon={Send} title="No delivery has failed" />
  ) : (
    <EmptyState icon={Send} title="Nothing has been sent yet">
      <p>The next event that this webhook has is shown here, with its request and its response.</p>
    </EmptyState>
  );
}
