import { Send } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import { useExamplePayload, useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { MultilineField } from '../../../ui/controls/text-box.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { EventChoice, type SelectedEvent } from './event-choice.tsx';
import { readPayload } from './read-payload.ts';

interface ComposeDialogProps {
  /** The preselected event. */
  readonly initial: string;
  readonly onClose: () => void;
}

/** Sends a synthetic event to webhooks, starting from an example payload. */
export function ComposeEventDialog({ initial, onClose }: ComposeDialogProps) {
  const [chosen, setChosen] = useState<SelectedEvent>({ event: initial, action: '' });
  const [edited, setEdited] = useState<string>();
  const example = useExamplePayload(chosen.event, chosen.action).data;
  const emit = useWebhookMutation('webhooks.emit');
  const text = edited ?? (example === undefined ? '' : JSON.stringify(example.payload, null, 2));
  const payload = readPayload(text);
  const isReal = edited === undefined && example?.isReal === true;
  const choose = (next: SelectedEvent): void => {
    setChosen(next);
    setEdited(undefined);
  };
  const submit = (): void => {
    if (!payload.ok) return;
    emit.mutate(
      { event: chosen.event, payload: payload.value },
      {
        onSuccess: ({ hooks: webhooks, reason }) => {
          const sentMessage = `Event sent to ${pluralize(webhooks, 'webhook')}.`;
          showToast(
            'info',
            webhooks > 0 ? sentMessage : (reason ?? 'No webhook is subscribed to this event.'),
          );
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Send a test event"
      submit={{ label: 'Send', icon: Send, isPending: emit.isPending, isBlocked: !payload.ok }}
      error={emit.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <EventChoice value={chosen} onChange={choose} />
      <MultilineField
        label="Payload"
        name="payload"
        rows={18}
        text={text}
        help={`${isReal ? 'From a real delivery. ' : ''}Sent to every webhook subscribed to this event.`}
        error={text === '' || payload.ok ? undefined : payload.error}
        onChange={setEdited}
      />
    </FormDialog>
  );
}
