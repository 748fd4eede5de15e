import { Send } from 'lucide-react';
import type { DeliveryView, DeliveryDetailView } from '../../../core/contract/webhook-views.ts';
import { getMeaning } from '../../format/labels.ts';
import {
  useWebhookDelivery,
  useWebhookMutation,
  useWebhookDeliveries,
  type DeliveryOutcome,
} from '../../api/webhook-queries.ts';
import { formatDuration } from '../../format/time.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useQueryParams } from '../../navigation/address.ts';
import { EmptyState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import type { Column } from '../../ui/list/virtual-table.tsx';
import { BodyView, HeaderList, SignatureNote } from './message-table.tsx';
import {
  RequestDialog,
  RequestSection,
  Outcome,
  eventColumn,
  RequestTable,
  timeColumn,
} from './request-table.tsx';
import styles from './webhooks.module.css';

/** Describes a receiver's response in a few words. */
export function formatAnswer(delivery: Pick<DeliveryView, 'delivered' | 'status' | 'statusCode'>): string {
  const { delivered, status, statusCode } = delivery;
  // For a failure, the engine's message includes the status code; for every success it is "OK".
  return delivered && statusCode !== undefined
    ? `${statusCode} ${getMeaning(statusCode)}`.trim()
    : sentence(status);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

interface DeliveryDialogProps {
  readonly hookId: number;
  readonly deliveryId: number;
  readonly onClose: () => void;
}

/** One delivery attempt: the signed request and the response. */
function DeliveryDialog({ hookId, deliveryId, onClose }: DeliveryDialogProps) {
  const delivery = useWebhookDelivery(hookId, deliveryId);
  const again = useWebhookMutation('webhooks.redeliver');
  const send = (): void =>
    again.mutate(
      { hookId, deliveryId },
      {
        onSuccess: () => {
          showToast('info', 'Redelivery queued.');
          onClose();
        },
        onError: showError,
      },
    );
  return (
    <RequestDialog
      title={`Delivery ${deliveryId}`}
      what="This delivery"
      query={delivery}
      again={{
        label: 'Redeliver',
        operation: 'webhooks.redeliver',
        isPending: again.isPending,
        run: send,
      }}
      onClose={onClose}
    >
      {(detail) => <Exchange detail={detail} />}
    </RequestDialog>
  );
}

function Exchange({ detail }: { readonly detail: DeliveryDetailView }) {
  const { url, request, response, delivered, durationMs, deliveredAt } = detail;
  return (
    <>
      <div className={styles.exchangeFacts}>
        <Outcome tone={delivered ? 'good' : 'bad'}>{formatAnswer(detail)}</Outcome> after{' '}
        {formatDuration(durationMs)}, <RelativeTime iso={deliveredAt} />
      </div>
      <RequestSection title="Request">
        <p className={styles.note}>
          <code>POST {url}</code>
        </p>
        <HeaderList headers={request.headers} />
      </RequestSection>
      <BodyView title="Request body" body={request.body} />
      <SignatureNote headers={request.headers} />
      {response === undefined ? (
        <p className={styles.note}>No response</p>
      ) : (
        <>
          <RequestSection title="Response">
            <HeaderList headers={response.headers} />
          </RequestSection>
          <BodyView
            title="Response body"
            body={response.body}
            note={response.cut ? 'Truncated to 20 kB.' : undefined}
          />
        </>
      )}
    </>
  );
}

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
        getKey={getKey}
        getName={getName}
        onOpen={({ id }) => change({ delivery: String(id) })}
      />
      {Number.isInteger(open) && (
        <DeliveryDialog hookId={hookId} deliveryId={open} onClose={() => change({ delivery: undefined })} />
      )}
    </>
  );
}

const getKey = ({ id }: DeliveryView): string => String(id);
const getName = ({ event, id }: DeliveryView): string => `${event} ${id}`;

const columns: readonly Column<DeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '30%',
    cell: ({ delivered, status, statusCode }) => (
      <Outcome tone={delivered ? 'good' : 'bad'}>{formatAnswer({ delivered, status, statusCode })}</Outcome>
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
      <p>Deliveries appear here with their requests and responses.</p>
    </EmptyState>
  );
}
