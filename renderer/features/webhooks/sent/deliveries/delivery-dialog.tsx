import type { DeliveryDetailView } from '../../../../../core/contract/webhooks/webhook-views.ts';
import { useWebhookDelivery, useWebhookMutation } from '../../../../api/queries/webhook-queries.ts';
import { formatDuration } from '../../../../format/duration.ts';
import { showError } from '../../../../ui/overlay/show-error.ts';
import { showToast } from '../../../../ui/overlay/toasts.tsx';
import { RelativeTime } from '../../../../ui/time/relative-time.tsx';
import { BodyView } from '../../exchange/body-view.tsx';
import { RequestDialog, RequestSection } from '../../exchange/exchange-dialog.tsx';
import styles from '../../exchange/exchange.module.css';
import { HeaderList } from '../../exchange/header-list.tsx';
import { Outcome } from '../../exchange/outcome.tsx';
import { SignatureNote } from '../../exchange/signature-note.tsx';
import { describeAnswer } from './describe-answer.ts';

interface DeliveryDialogProps {
  readonly hookId: number;
  readonly deliveryId: number;
  readonly onClose: () => void;
}

/** One delivery attempt: the signed request and the response. */
export function DeliveryDialog({ hookId, deliveryId, onClose }: DeliveryDialogProps) {
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
      <div className={styles.facts}>
        <Outcome tone={delivered ? 'good' : 'bad'}>{describeAnswer(detail)}</Outcome> after{' '}
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
