import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { EditConflictNotice } from '../exchange/changed-meanwhile.tsx';
import { emptyWebhook, toWebhookForm, type WebhookForm, isRate, toWebhookRequest } from './webhook-form.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface WebhookDialogProps {
  /** The webhook to edit; absent to create one. */
  readonly hook?: HookView;
  readonly onDone?: (webhook: HookView) => void;
  readonly onClose: () => void;
}

/** Creates or edits a webhook. If the engine rejects the request, the dialog shows the reason. */
export function WebhookDialog({ hook: webhook, onDone, onClose }: WebhookDialogProps) {
  const [form, setForm] = useState(() => (webhook === undefined ? emptyWebhook : toWebhookForm(webhook)));
  const create = useWebhookMutation('webhooks.create');
  const update = useWebhookMutation('webhooks.update');
  const done = (made: HookView): void => {
    onDone?.(made);
    onClose();
  };
  const submit = (): void => {
    const { kind, owner, secret, ...settings } = toWebhookRequest(form, webhook?.options);
    if (webhook !== undefined) update.mutate({ hookId: webhook.id, ...settings }, { onSuccess: done });
    else create.mutate({ kind, owner, ...settings, ...(secret !== '' && { secret }) }, { onSuccess: done });
  };
  const isPending = create.isPending || update.isPending;
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : 'Edit webhook'}
      submit={{
        label: webhook === undefined ? createLabel(form) : 'Save',
        icon: webhook === undefined ? Plus : Check,
        isPending,
        isBlocked:
          form.url.trim() === '' ||
          form.owner.trim() === '' ||
          form.events.length === 0 ||
          !isRate(form.perSecond) ||
          form.installations.some(({ account }) => account.trim() === ''),
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {webhook && <EditConflictNotice what="webhook" updatedAt={webhook.updatedAt} isSaving={isPending} />}
      <WebhookFields form={form} isNew={webhook === undefined} onChange={setForm} />
    </FormDialog>
  );
}

/** A sponsored account has no `ping`, and an inactive webhook receives nothing. */
const createLabel = ({ kind, active }: WebhookForm): string =>
  active && kind !== 'sponsored' ? 'Create and ping' : 'Create';
