import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { useReceivedDelivery, useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { BodyView } from '../exchange/body-view.tsx';
import { RequestDialog, RequestSection } from '../exchange/exchange-dialog.tsx';
import styles from '../exchange/exchange.module.css';
import { HeaderList } from '../exchange/header-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { DecisionList } from './decision-list.tsx';
import { deliveryOutcome } from './describe-received.ts';

interface ReceivedDialogProps {
  readonly receiverId: string;
  readonly id: string;
  /** Opens another delivery. */
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One received request: its sender, its authentication, and what it started or why not. */
export function ReceivedDialog({ receiverId, id, onOpen, onClose }: ReceivedDialogProps) {
  const delivery = useReceivedDelivery(receiverId, id);
  const replay = useWebhookMutation('receivers.replay');
  const again = (): void =>
    replay.mutate(
      { receiverId, id },
      {
        onSuccess: (made) => onOpen(made.id),
        onError: showError,
      },
    );
  return (
    <RequestDialog
      title={`Request ${id}`}
      what="This request"
      query={delivery}
      again={{
        label: 'Replay',
        operation: 'receivers.replay',
        isPending: replay.isPending,
        run: again,
      }}
      onClose={onClose}
    >
      {(detail) => <Exchange detail={detail} onOpen={onOpen} />}
    </RequestDialog>
  );
}

interface ExchangeProps {
  readonly detail: OperationOutput<'receivers.delivery'>;
  readonly onOpen: (id: string) => void;
}

const verificationLabels: Readonly<Record<string, string>> = {
  sha256: 'SHA-256 signature',
  sha1: 'SHA-1 signature',
  standard: 'Standard Webhooks signature',
  bearer: 'bearer token',
};

function Exchange({ detail, onOpen }: ExchangeProps) {
  const { receivedAt, address, verified, proof, duplicateOf, replayOf, headers, body, isCut } = detail;
  const former = duplicateOf ?? replayOf;
  return (
    <>
      <div className={styles.facts}>
        <Outcome {...deliveryOutcome(detail)} /> · received <RelativeTime iso={receivedAt} />
        {address !== undefined && ` from ${address}`}.{' '}
        {verified && proof !== undefined && `Verified by ${verificationLabels[proof] ?? proof}.`}{' '}
        {former !== undefined && (
          <Button variant="quiet" size="small" onPress={() => onOpen(former)}>
            {duplicateOf === undefined ? 'Original request' : 'First request'}
          </Button>
        )}
      </div>
      <DecisionList detail={detail} />
      <RequestSection title="Headers">
        <HeaderList headers={headers} />
      </RequestSection>
      {body !== undefined && <BodyView title="Body" body={body} note={isCut ? 'Truncated.' : undefined} />}
    </>
  );
}
