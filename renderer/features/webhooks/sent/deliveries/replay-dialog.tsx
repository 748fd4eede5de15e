import { History } from 'lucide-react';
import { useState } from 'react';
import { countThings } from '../../../../../core/base/text/count-things.ts';
import type { HookView } from '../../../../../core/contract/webhooks/hook-views.ts';
import { systemClock } from '../../../../app/clock.ts';
import { useWebhookChange } from '../../../../api/queries/webhook-queries.ts';
import { Select } from '../../../../ui/controls/select.tsx';
import { FormDialog } from '../../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../../ui/overlay/toasts.tsx';

const hourMs = 3_600_000;
const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last week' },
  { value: '720', label: 'The last 30 days' },
] as const;
const scopes = [
  { value: 'failed', label: 'What was never delivered' },
  { value: 'all', label: 'Everything' },
] as const;

interface ReplayDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Sends a webhook again what happened since a time. */
export function ReplayDialog({ hook, onClose }: ReplayDialogProps) {
  const replay = useWebhookChange('webhooks.replay');
  const [hours, setHours] = useState<(typeof spans)[number]['value']>('24');
  const [only, setOnly] = useState<(typeof scopes)[number]['value']>('failed');
  const submit = (): void =>
    replay.mutate(
      { hookId: hook.id, only, since: new Date(systemClock.now() - Number(hours) * hourMs).toISOString() },
      {
        onSuccess: ({ replayed }) => {
          showToast('info', `${countThings(replayed, 'event')} on the way again.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Send again"
      submit={{ label: 'Send again', icon: History, isPending: replay.isPending }}
      error={replay.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select label="What happened in" isLabelled value={hours} choices={spans} onChange={setHours} />
      <Select
        label="Of that"
        isLabelled
        value={only}
        choices={scopes}
        onChange={setOnly}
        description="Each is sent with the GUID it had, so that a receiver that knows it already can skip it."
      />
    </FormDialog>
  );
}
