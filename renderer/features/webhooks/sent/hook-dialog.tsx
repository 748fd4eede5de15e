import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useWebhookChange } from '../../../api/queries/webhook-queries.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { ChangedMeanwhile } from '../exchange/changed-meanwhile.tsx';
import { emptyHook, hookOf, type HookForm, isRate, wishOf } from './hook-form.ts';
import { HookFields } from './hook-fields.tsx';

interface HookDialogProps {
  /** The webhook to edit; absent to create one. */
  readonly hook?: HookView;
  readonly onDone?: (hook: HookView) => void;
  readonly onClose: () => void;
}

/** Creates or edits a webhook. If the engine refuses, the dialog shows the reason. */
export function HookDialog({ hook, onDone, onClose }: HookDialogProps) {
  const [form, setForm] = useState(() => (hook === undefined ? emptyHook : hookOf(hook)));
  const create = useWebhookChange('webhooks.create');
  const update = useWebhookChange('webhooks.update');
  const done = (made: HookView): void => {
    onDone?.(made);
    onClose();
  };
  const submit = (): void => {
    const { kind, owner, secret, ...settings } = wishOf(form, hook?.options);
    if (hook !== undefined) update.mutate({ hookId: hook.id, ...settings }, { onSuccess: done });
    else create.mutate({ kind, owner, ...settings, ...(secret !== '' && { secret }) }, { onSuccess: done });
  };
  const isPending = create.isPending || update.isPending;
  return (
    <FormDialog
      title={hook === undefined ? 'New webhook' : 'Edit webhook'}
      submit={{
        label: hook === undefined ? createLabel(form) : 'Save',
        icon: hook === undefined ? Plus : Check,
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
      {hook && <ChangedMeanwhile what="webhook" updatedAt={hook.updatedAt} isSaving={isPending} />}
      <HookFields form={form} isNew={hook === undefined} onChange={setForm} />
    </FormDialog>
  );
}

/** A sponsored account has no `ping`, and an inactive webhook receives nothing. */
const createLabel = ({ kind, active }: HookForm): string =>
  active && kind !== 'sponsored' ? 'Create and ping' : 'Create';
