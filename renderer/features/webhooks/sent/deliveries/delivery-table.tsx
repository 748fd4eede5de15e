import { Send } from 'lucide-react';
import type { DeliveryView } from '../../../../../core/contract/webhooks/webhook-views.ts';
import { useWebhookDeliveries, type DeliveryOutcome } from '../../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../../app/address.ts';
import { formatDuration } from '../../../../format/duration.ts';
import { EmptyState } from '../../../../ui/state/empty-state.tsx';
import table from '../../../../ui/list/table.module.css';
import type { Column } from '../../../../ui/list/virtual-table.tsx';
import { eventColumn, RequestTable, timeColumn } from '../../exchange/exchange-table.tsx';
import { Outcome } from '../../exchange/outcome.tsx';
import { describeAnswer } from './describe-answer.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';

interface DeliveryTableProps {
  readonly hookId: number;
  readonly outcome: DeliveryOutcome;
}

/** Delivery attempts, newest first; each row opens one. */
export function DeliveryTable({ hookId, outcome }: DeliveryTableProps) {
  const deliveries = useWebhookDeliveries(hookId, outcome);
  const [query, change] = useQueryParams();
  const open = Number(query.get('delivery') ?? Number.NaN);
  return (
    <>
      <RequestTable
        label="Deliveries"
        what="The deliveries"
        query={deliveries}
        empty={<NoDeliveries outcome={outcome} />}
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        onOpen={({ id }) => change({ delivery: String(id) })}
      />
      {Number.isInteger(open) && (
        <DeliveryDialog hookId={hookId} deliveryId={open} onClose={() => change({ delivery: undefined })} />
      )}
    </>
  );
}

const keyOf = ({ id }: DeliveryView): string => String(id);
const nameOf = ({ event, id }: DeliveryView): string => `${event} ${id}`;

const columns: readonly Column<DeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '30%',
    cell: ({ delivered, status, statusCode }) => (
      <Outcome tone={delivered ? 'good' : 'bad'}>{describeAnswer({ delivered, status, statusCode })}</Outcome>
    ),
  },
  eventColumn,
  {
    id: 'guid',
    header: 'GUID',
    width: '110px',
    cell: ({ guid, redelivery }) => (
      <span className={`${table.code} ${table.muted}`} title={guid}>
        {guid.slice(0, 8)}
        {redelivery && ' (redelivery)'}
      </span>
    ),
  },
  {
    id: 'took',
    header: 'Duration',
    width: '88px',
    isNumber: true,
    cell: ({ durationMs }) => <span className={table.muted}>{formatDuration(durationMs)}</span>,
  },
  timeColumn(({ deliveredAt }) => deliveredAt),
];

function NoDeliveries({ outcome }: { readonly outcome: DeliveryOutcome }) {
  return outcome === 'failure' ? (
    <EmptyState icon={Send} title="No failed deliveries" />
  ) : (
    <EmptyState icon={Send} title="No deliveries yet">
      <p>Deliveries appear here with request and response.</p>
    </EmptyState>
  );
}
