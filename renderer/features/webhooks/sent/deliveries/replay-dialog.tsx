import { History } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../../../core/base/text/pluralize.ts';
import type { HookView } from '../../../../../core/contract/webhooks/webhook-views.ts';
import { systemClock } from '../../../../app/clock.ts';
import { useWebhookMutation } from '../../../../api/queries/webhook-queries.ts';
import { Select } from '../../../../ui/controls/select.tsx';
import { FormDialog } from '../../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../../ui/overlay/toasts.tsx';

const hourMs = 3_600_000;
const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
  { value: '720', label: 'Last 30 days' },
] as const;
const scopes = [
  { value: 'failed', label: 'Undelivered events' },
  { value: 'all', label: 'All' },
] as const;

interface ReplayDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Redelivers the events since a time to a webhook. */
export function ReplayDialog({ hook: webhook, onClose }: ReplayDialogProps) {
  const replay = useWebhookMutation('webhooks.replay');
  const [hours, setHours] = useState<(typeof spans)[number]['value']>('24');
  const [only, setOnly] = useState<(typeof scopes)[number]['value']>('failed');
  const submit = (): void =>
    replay.mutate(
      { hookId: webhook.id, only, since: new Date(systemClock.now() - Number(hours) * hourMs).toISOString() },
      {
        onSuccess: ({ replayed }) => {
          showToast('info', `${pluralize(replayed, 'event')} queued for redelivery.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Redeliver events"
      submit={{ label: 'Redeliver', icon: History, isPending: replay.isPending }}
      error={replay.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select label="Period" isLabelled value={hours} choices={spans} onChange={setHours} />
      <Select
        label="Events"
        isLabelled
        value={only}
        choices={scopes}
        onChange={setOnly}
        description="Redeliveries keep their GUID, so receivers can skip duplicates."
      />
    </FormDialog>
  );
}
