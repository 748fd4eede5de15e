import { RotateCw } from 'lucide-react';
import { toAppError } from '../../../../core/base/errors.ts';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { useReceivedDelivery, useWebhookChange } from '../../../api/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/layout/query-state.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { BodyView } from '../exchange/body-view.tsx';
import styles from '../exchange/exchange.module.css';
import { HeaderList } from '../exchange/header-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { DecisionList } from './decision-list.tsx';
import { describeReceived } from './describe-received.ts';

interface ReceivedDialogProps {
  readonly receiverId: string;
  readonly id: string;
  /** Goes to another delivery. */
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One request that came: who sent it, how that was proved, and what it has started or why not. */
export function ReceivedDialog({ receiverId, id, onOpen, onClose }: ReceivedDialogProps) {
  const delivery = useReceivedDelivery(receiverId, id);
  const replay = useWebhookChange('receivers.replay');
  const may = useMay('receivers.replay');
  const again = (): void =>
    replay.mutate(
      { receiverId, id },
      {
        onSuccess: (made) => onOpen(made.id),
        onError: (thrown) => showToast('error', toAppError(thrown).message),
      },
    );
  return (
    <Dialog title={`Request ${id}`} size="wide" onClose={onClose}>
      <QueryState query={delivery} what="This request">
        {(detail) => <Exchange detail={detail} onOpen={onOpen} />}
      </QueryState>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        <Button
          look="primary"
          icon={RotateCw}
          isPending={replay.isPending}
          unavailable={may.reason}
          onPress={again}
        >
          Do it again
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ExchangeProps {
  readonly detail: OperationOutput<'receivers.delivery'>;
  readonly onOpen: (id: string) => void;
}

const proofWords: Readonly<Record<string, string>> = {
  sha256: 'its SHA-256 signature',
  sha1: 'its SHA-1 signature',
  standard: 'its Standard Webhooks signature',
  bearer: 'its bearer token',
};

function Exchange({ detail, onOpen }: ExchangeProps) {
  const { receivedAt, address, verified, proof, duplicateOf, replayOf, headers, body, isCut } = detail;
  const former = duplicateOf ?? replayOf;
  return (
    <div className={styles.exchange}>
      <div className={styles.facts}>
        <Outcome {...describeReceived(detail)} /> · came <RelativeTime iso={receivedAt} />
        {address !== undefined && ` from ${address}`}.{' '}
        {verified && proof !== undefined && `Proved by ${proofWords[proof] ?? proof}.`}{' '}
        {former !== undefined && (
          <Button look="quiet" size="small" onPress={() => onOpen(former)}>
            {duplicateOf === undefined ? 'The request that was done again' : 'The request that it repeats'}
          </Button>
        )}
      </div>
      <DecisionList detail={detail} />
      <section className={styles.part} aria-label="Headers">
        <h3>Headers</h3>
        <HeaderList headers={headers} />
      </section>
      {body !== undefined && (
        <BodyView title="Body" body={body} note={isCut ? 'Only its beginning is shown.' : undefined} />
      )}
    </div>
  );
}
