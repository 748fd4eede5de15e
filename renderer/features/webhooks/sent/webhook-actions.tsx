import { Ellipsis, History, KeyRound, Pencil, Radio, Repeat2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ActionMenu, type MenuAction } from '../../../ui/overlay/menu.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RotateSecretDialog } from '../exchange/rotate-secret-dialog.tsx';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { ReplayDialog } from './deliveries/replay-dialog.tsx';

type Asking = 'edit' | 'rotate' | 'replay' | 'delete';

/** Actions on a webhook. */
export function WebhookActions({ hook: webhook }: { readonly hook: HookView }) {
  const [asking, setAsking] = useState<Asking>();
  const mayManage = useCan('webhooks.update');
  const more = useMoreActions(webhook.id, setAsking);
  const close = (): void => setAsking(undefined);
  return (
    <>
      <PingButton hookId={webhook.id} />
      <Button size="small" icon={Pencil} unavailable={mayManage.reason} onPress={() => setAsking('edit')}>
        Edit…
      </Button>
      <ActionMenu label="More actions" actions={more}>
        <IconButton label="More actions" icon={Ellipsis} />
      </ActionMenu>
      {asking === 'edit' && <WebhookDialog hook={webhook} onClose={close} />}
      {asking === 'replay' && <ReplayDialog hook={webhook} onClose={close} />}
      {asking === 'rotate' && <RotateWebhookSecret hookId={webhook.id} onClose={close} />}
      {asking === 'delete' && <DeleteWebhookDialog hook={webhook} onClose={close} />}
    </>
  );
}

/** Sets a new secret of a webhook. */
function RotateWebhookSecret({ hookId, onClose }: { readonly hookId: number; readonly onClose: () => void }) {
  const rotate = useWebhookMutation('webhooks.rotateSecret');
  return (
    <RotateSecretDialog
      title="Change secret"
      overlap="Deliveries rejected for their signature are retried with the previous secret."
      change={rotate}
      onRotate={(secret, overlapHours, onSuccess) =>
        rotate.mutate({ hookId, secret, overlapHours }, { onSuccess })
      }
      onClose={onClose}
    />
  );
}

function PingButton({ hookId }: { readonly hookId: number }) {
  const ping = useWebhookMutation('webhooks.ping');
  const may = useCan('webhooks.ping');
  const send = (): void =>
    ping.mutate({ hookId }, { onSuccess: () => showToast('info', 'Ping sent.'), onError: showError });
  return (
    <Button size="small" icon={Radio} isPending={ping.isPending} unavailable={may.reason} onPress={send}>
      Ping
    </Button>
  );
}

function useMoreActions(hookId: number, ask: (asking: Asking) => void): readonly MenuAction[] {
  const test = useWebhookMutation('webhooks.test');
  const maySend = useCan('webhooks.test').reason;
  const mayManage = useCan('webhooks.update').reason;
  const sendPush = (): void =>
    test.mutate(
      { hookId },
      {
        onSuccess: ({ sent, reason }) =>
          showToast('info', sent ? 'Push event queued.' : (reason ?? 'No push event to redeliver.')),
        onError: showError,
      },
    );
  return [
    { id: 'test', label: 'Redeliver latest push', icon: Repeat2, unavailable: maySend, run: sendPush },
    {
      id: 'replay',
      label: 'Redeliver events…',
      icon: History,
      unavailable: maySend,
      run: () => ask('replay'),
    },
    {
      id: 'rotate',
      label: 'Change secret…',
      icon: KeyRound,
      unavailable: mayManage,
      run: () => ask('rotate'),
    },
    {
      id: 'delete',
      label: 'Delete…',
      icon: Trash2,
      isDanger: true,
      beginsGroup: true,
      unavailable: mayManage,
      run: () => ask('delete'),
    },
  ];
}
