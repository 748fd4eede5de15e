import { Trash2 } from 'lucide-react';
import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useWebhookChange } from '../../../api/queries/webhook-queries.ts';
import { useAddressQuery } from '../../../app/address.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { shortenUrl } from './shorten-url.ts';

interface DeleteHookDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Confirms deleting a webhook. */
export function DeleteHookDialog({ hook, onClose }: DeleteHookDialogProps) {
  const remove = useWebhookChange('webhooks.delete');
  const name = shortenUrl(hook.url);
  const [, change] = useAddressQuery();
  const done = (): void => {
    change({ hook: undefined, delivery: undefined });
    showToast('info', `Webhook ${name} deleted.`);
    onClose();
  };
  return (
    <FormDialog
      title="Delete this webhook?"
      submit={{ label: 'Delete webhook', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ hookId: hook.id }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        Pending events and the delivery history of <b>{name}</b> are deleted. This cannot be undone.
      </p>
    </FormDialog>
  );
}
