import { Trash2 } from 'lucide-react';
import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { shortenUrl } from './shorten-url.ts';

interface DeleteWebhookDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Confirms deleting a webhook. */
export function DeleteWebhookDialog({ hook: webhook, onClose }: DeleteWebhookDialogProps) {
  const remove = useWebhookMutation('webhooks.delete');
  const name = shortenUrl(webhook.url);
  const [, change] = useQueryParams();
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
      onSubmit={() => remove.mutate({ hookId: webhook.id }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        Pending events and the delivery history of <b>{name}</b> are deleted. This cannot be undone.
      </p>
    </FormDialog>
  );
}
