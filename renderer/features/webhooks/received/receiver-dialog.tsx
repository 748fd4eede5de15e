import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { EditConflictNotice } from '../exchange/changed-meanwhile.tsx';
import { ReceiverFields, type ReceiverForm } from './receiver-fields.tsx';

interface ReceiverDialogProps {
  /** The receiver to edit; absent to create one. */
  readonly receiver?: ReceiverView;
  readonly onDone?: (receiver: ReceiverView) => void;
  readonly onClose: () => void;
}

const empty: ReceiverForm = { name: '', scheme: 'platform', secret: '', allowSha1: false, active: true };

/** Creates or edits a receiver. If the engine rejects the request, the dialog shows the reason. */
export function ReceiverDialog({ receiver, onDone, onClose }: ReceiverDialogProps) {
  const [form, setForm] = useState<ReceiverForm>({ ...empty, ...receiver });
  const create = useWebhookMutation('receivers.create');
  const update = useWebhookMutation('receivers.update');
  const isNew = receiver === undefined;
  const done = (made: ReceiverView): void => {
    onDone?.(made);
    onClose();
  };
  const submit = (): void => {
    const { name, scheme, secret, allowSha1, active } = form;
    const settings = { name: name.trim(), allowSha1, active };
    if (isNew) create.mutate({ ...settings, scheme, secrets: [secret] }, { onSuccess: done });
    else update.mutate({ ...settings, receiverId: receiver.id }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={isNew ? 'New receiver' : `Edit ${receiver.name}`}
      submit={{
        label: isNew ? 'Create receiver' : 'Save',
        icon: isNew ? Plus : Check,
        isPending: create.isPending || update.isPending,
        isBlocked: form.name.trim() === '' || (isNew && form.secret === ''),
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {receiver && (
        <EditConflictNotice what="receiver" updatedAt={receiver.updatedAt} isSaving={update.isPending} />
      )}
      <ReceiverFields form={form} isNew={isNew} onChange={setForm} />
    </FormDialog>
  );
}
