import { Ellipsis, History, KeyRound, Pencil, Radio, Repeat2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { useWebhookChange } from '../../../api/queries/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ActionMenu, type MenuAction } from '../../../ui/overlay/menu.tsx';
import { showRefusal } from '../../../ui/overlay/show-refusal.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RotateSecretDialog } from '../exchange/rotate-secret-dialog.tsx';
import { DeleteHookDialog } from './delete-hook-dialog.tsx';
import { HookDialog } from './hook-dialog.tsx';
import { ReplayDialog } from './deliveries/replay-dialog.tsx';

type Asking = 'edit' | 'rotate' | 'replay' | 'delete';

/** Actions on a webhook. */
export function HookActions({ hook }: { readonly hook: HookView }) {
  const [asking, setAsking] = useState<Asking>();
  const mayManage = useMay('webhooks.update');
  const more = useMoreActions(hook.id, setAsking);
  const close = (): void => setAsking(undefined);
  return (
    <>
      <PingButton hookId={hook.id} />
      <Button size="small" icon={Pencil} unavailable={mayManage.reason} onPress={() => setAsking('edit')}>
        Edit…
      </Button>
      <ActionMenu label="More actions" actions={more}>
        <IconButton label="More actions" icon={Ellipsis} />
      </ActionMenu>
      {asking === 'edit' && <HookDialog hook={hook} onClose={close} />}
      {asking === 'replay' && <ReplayDialog hook={hook} onClose={close} />}
      {asking === 'rotate' && <RotateHookSecret hookId={hook.id} onClose={close} />}
      {asking === 'delete' && <DeleteHookDialog hook={hook} onClose={close} />}
    </>
  );
}

/** Sets a new secret of a webhook. */
function RotateHookSecret({ hookId, onClose }: { readonly hookId: number; readonly onClose: () => void }) {
  const rotate = useWebhookChange('webhooks.rotateSecret');
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
  const ping = useWebhookChange('webhooks.ping');
  const may = useMay('webhooks.ping');
  const send = (): void =>
    ping.mutate({ hookId }, { onSuccess: () => showToast('info', 'Ping sent.'), onError: showRefusal });
  return (
    <Button size="small" icon={Radio} isPending={ping.isPending} unavailable={may.reason} onPress={send}>
      Ping
    </Button>
  );
}

function useMoreActions(hookId: number, ask: (asking: Asking) => void): readonly MenuAction[] {
  const test = useWebhookChange('webhooks.test');
  const maySend = useMay('webhooks.test').reason;
  const mayManage = useMay('webhooks.update').reason;
  const sendPush = (): void =>
    test.mutate(
      { hookId },
      {
        onSuccess: ({ sent, reason }) =>
          showToast('info', sent ? 'Push event queued.' : (reason ?? 'No push event to redeliver.')),
        onError: showRefusal,
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
