import { Trash2 } from 'lucide-react';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

interface DeleteReceiverDialogProps {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}

/** Confirms deleting a receiver. */
export function DeleteReceiverDialog({ receiver, onClose }: DeleteReceiverDialogProps) {
  const remove = useWebhookMutation('receivers.delete');
  const [, change] = useQueryParams();
  const done = (): void => {
    change({ receiver: undefined, received: undefined });
    showToast('info', `Receiver ${receiver.name} deleted.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Delete receiver ${receiver.name}?`}
      submit={{ label: 'Delete receiver', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ receiverId: receiver.id }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        The URL stops working and received requests are deleted. Runs are kept.
        {receiver.workflows.length > 0 && ' Workflows that use it are no longer started.'} This cannot be
        undone.
      </p>
    </FormDialog>
  );
}
