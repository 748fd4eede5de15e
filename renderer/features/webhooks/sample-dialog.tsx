import { Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ReceiverView } from '../../../core/contract/receivers.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useWebhookMutation } from '../../api/webhook-queries.ts';
import { paths } from '../../navigation/address.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';

interface SampleDialogProps {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}

/** Sends a signed sample to the running server, and shows its response and the started runs. */
export function SampleDialog({ receiver, onClose }: SampleDialogProps) {
  const [event, setEvent] = useState('');
  const send = useWebhookMutation('receivers.sendSample');
  const name = event.trim();
  return (
    <FormDialog
      title={`Send a sample to ${receiver.name}`}
      submit={{ label: 'Send', icon: Send, isPending: send.isPending }}
      error={send.error}
      onSubmit={() => send.mutate({ receiverId: receiver.id, ...(name !== '' && { event: name }) })}
      onClose={onClose}
    >
      <p>Signs a typical payload with the secret of the receiver and sends it to the running server.</p>
      <TextField
        label="Event"
        name="event"
        value={event}
        onChange={setEvent}
        autoFocus
        description="Default: a typical event of the sender."
      />
      {send.data && <SampleResponse sent={send.data} />}
    </FormDialog>
  );
}

function SampleResponse({ sent }: { readonly sent: OperationOutput<'receivers.sendSample'> }) {
  const { status, body, delivery } = sent;
  const isAccepted = status < 300;
  const runs = delivery?.runs ?? [];
  const skipped = delivery?.decisions.filter(({ reason }) => reason !== undefined) ?? [];
  return (
    <Notice tone={isAccepted ? 'info' : 'warning'}>
      <p role="status">
        {isAccepted ? `Accepted (${status}).` : `Rejected (${status}): ${body}`}
        {isAccepted && runs.length === 0 && ' No workflow started.'}
      </p>
      {runs.map(({ name, dagRunId }) => (
        <p key={dagRunId}>
          Started <Link href={paths.run(name, dagRunId)}>{name}</Link>
        </p>
      ))}
      {skipped.map(({ workflow, trigger, reason }) => (
        <p key={`${workflow}/${trigger}`}>
          {workflow}: {reason}
        </p>
      ))}
    </Notice>
  );
}
