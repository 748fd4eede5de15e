import { RotateCw } from 'lucide-react';
import { toAppError } from '../../../../core/base/errors.ts';
import type { DeliveryDetailView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { useHookDelivery, useWebhookChange } from '../../../api/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/layout/query-state.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { BodyView } from '../exchange/body-view.tsx';
import styles from '../exchange/exchange.module.css';
import { HeaderList } from '../exchange/header-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { SignatureNote } from '../exchange/signature-note.tsx';
import { describeAnswer } from './describe-answer.ts';

interface DeliveryDialogProps {
  readonly hookId: number;
  readonly deliveryId: number;
  readonly onClose: () => void;
}

/** One attempt to deliver: what was sent and signed, and what was answered. */
export function DeliveryDialog({ hookId, deliveryId, onClose }: DeliveryDialogProps) {
  const delivery = useHookDelivery(hookId, deliveryId);
  const again = useWebhookChange('webhooks.redeliver');
  const may = useMay('webhooks.redeliver');
  const send = (): void =>
    again.mutate(
      { hookId, deliveryId },
      {
        onSuccess: () => {
          showToast('info', 'It is on its way again, with its GUID.');
          onClose();
        },
        onError: (thrown) => showToast('error', toAppError(thrown).message),
      },
    );
  return (
    <Dialog title={`Delivery ${deliveryId}`} size="wide" onClose={onClose}>
      <QueryState query={delivery} what="This delivery">
        {(detail) => <Exchange detail={detail} />}
      </QueryState>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        <Button
          look="primary"
          icon={RotateCw}
          isPending={again.isPending}
          unavailable={may.reason}
          onPress={send}
        >
          Send it again
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Exchange({ detail }: { readonly detail: DeliveryDetailView }) {
  const { url, request, response, delivered, durationMs, deliveredAt } = detail;
  return (
    <div className={styles.exchange}>
      <div className={styles.facts}>
        <Outcome tone={delivered ? 'good' : 'bad'}>{describeAnswer(detail)}</Outcome> after {durationMs} ms,{' '}
        <RelativeTime iso={deliveredAt} />
      </div>
      <section className={styles.part} aria-label="Request">
        <h3>Request</h3>
        <p className={styles.note}>
          <code>POST {url}</code>
        </p>
        <HeaderList headers={request.headers} />
      </section>
      <BodyView title="Body of the request" body={request.body} />
      <SignatureNote headers={request.headers} />
      {response === undefined ? (
        <p className={styles.note}>There was no answer.</p>
      ) : (
        <>
          <section className={styles.part} aria-label="Response">
            <h3>Response</h3>
            <HeaderList headers={response.headers} />
          </section>
          <BodyView
            title="Body of the response"
            body={response.body}
            note={response.cut ? 'Only its first 20 kB were kept.' : undefined}
          />
        </>
      )}
    </div>
  );
}
