import { Send } from 'lucide-react';
import { useState } from 'react';
import { fail, succeed, type Result } from '../../../core/base/errors.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useWebhookEvents, useExamplePayload, useWebhookMutation } from '../../api/webhook-queries.ts';
import { Select } from '../../ui/choices.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './webhooks.module.css';

/** Parses a typed payload. */
function readPayload(text: string): Result<Record<string, unknown>, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return succeed(value as Record<string, unknown>);
    return fail('The payload must be a JSON object.');
  } catch (error) {
    return fail(`Invalid JSON: ${(error as Error).message}`);
  }
}

/** An event of the catalog, with a specific action or any. */
interface SelectedEvent {
  readonly event: string;
  /** Empty to use the action of the example. */
  readonly action: string;
}

interface EventChoiceProps {
  readonly value: SelectedEvent;
  readonly onChange: (value: SelectedEvent) => void;
}

/** Selects the event. */
function EventChoice({ value: { event, action }, onChange }: EventChoiceProps) {
  const catalog = useWebhookEvents().data ?? [];
  const actions = catalog.find(({ name }) => name === event)?.actions ?? [];
  return (
    <div className={styles.pair}>
      <Select
        label="Event"
        isLabelled
        value={event}
        choices={catalog.map(({ name }) => ({ value: name, label: name }))}
        onChange={(chosen) => onChange({ event: chosen, action: '' })}
      />
      {actions !== 'any' && actions.length > 0 && (
        <Select
          label="Action"
          isLabelled
          value={action}
          choices={[
            { value: '', label: 'From example' },
            ...actions.map((value) => ({ value, label: value })),
          ]}
          onChange={(chosen) => onChange({ event, action: chosen })}
        />
      )}
    </div>
  );
}

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
