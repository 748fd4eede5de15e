import { Send } from 'lucide-react';
import { useState } from 'react';
import { useExamplePayload, useWebhookChange } from '../../../api/queries/webhook-queries.ts';
import { countThings } from '../../../ui/list/bulk-report.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { EventChoice, type ChosenEvent } from './event-choice.tsx';
import { PayloadField } from './payload-field.tsx';
import { readPayload } from './read-payload.ts';

interface ComposeDialogProps {
  /** The event that is proposed. */
  readonly initial: string;
  readonly onClose: () => void;
}

/** Tells webhooks of an event as if it had happened, beginning with an example of it. */
export function ComposeDialog({ initial, onClose }: ComposeDialogProps) {
  const [chosen, setChosen] = useState<ChosenEvent>({ event: initial, action: '' });
  const [edited, setEdited] = useState<string>();
  const example = useExamplePayload(chosen.event, chosen.action).data;
  const emit = useWebhookChange('webhooks.emit');
  const text = edited ?? (example === undefined ? '' : JSON.stringify(example.payload, null, 2));
  const payload = readPayload(text);
  const choose = (next: ChosenEvent): void => {
    setChosen(next);
    setEdited(undefined);
  };
  const submit = (): void => {
    if (!payload.ok) return;
    emit.mutate(
      { event: chosen.event, payload: payload.value },
      {
        onSuccess: ({ emitted, hooks, reason }) => {
          const told = `${countThings(hooks, 'webhook')} told of it.`;
          showToast('info', emitted ? told : (reason ?? 'Nobody is told.'));
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
      <PayloadField
        text={text}
        error={text === '' || payload.ok ? undefined : payload.error}
        isReal={edited === undefined && example?.isReal === true}
        onChange={setEdited}
      />
    </FormDialog>
  );
}
