import { Trash2, Ellipsis, History, KeyRound, Pencil, Radio, Repeat2 } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../core/contract/webhook-views.ts';
import { useWebhookMutation, useWebhook } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast, showError, CopyButton } from '../../ui/toasts.tsx';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { Notice } from '../../ui/state.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { shortenUrl } from './webhook-form.ts';
import { RotateSecretDialog } from './secret-field.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { ReplayDialog, MessageTable } from './message-table.tsx';
import styles from './webhooks.module.css';
import { DeliveryTable } from './delivery-table.tsx';

interface DeleteWebhookDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Confirms deleting a webhook. */
function DeleteWebhookDialog({ hook: webhook, onClose }: DeleteWebhookDialogProps) {
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

type Asking = 'edit' | 'rotate' | 'replay' | 'delete';

/** Actions on a webhook. */
function WebhookActions({ hook: webhook }: { readonly hook: HookView }) {
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

type DeliveryFilter = 'all' | 'failure' | 'waiting' | 'lost';

/** One webhook: its settings, its deliveries, and pending and given-up events. */
export function WebhookDetail({ listed }: { readonly listed: HookView }) {
  const webhook = useWebhook(listed.id).data ?? listed;
  const [shown, setShown] = useState<DeliveryFilter>('all');
  const { messages: { waiting = 0, sending = 0, dead = 0, dropped = 0 } = {} } = webhook;
  const onTheWay = waiting + sending;
  const lost = dead + dropped;
  const choices = [
    { value: 'all', label: 'Deliveries' },
    { value: 'failure', label: 'Failed' },
    { value: 'waiting', label: onTheWay === 0 ? 'Pending' : `Pending: ${onTheWay}` },
    { value: 'lost', label: lost === 0 ? 'Undelivered' : `Undelivered: ${lost}` },
  ] as const;
  return (
    <section className={styles.detail} aria-label={`Webhook ${shortenUrl(webhook.url)}`}>
      <header className={styles.detailHead}>
        <div className={styles.detailTitle}>
          <h2>
            {shortenUrl(webhook.url)} <CopyButton label="Copy URL" text={webhook.url} />
          </h2>
          <WebhookDetails hook={webhook} />
        </div>
        <div className={styles.detailActions}>
          <WebhookActions hook={webhook} />
        </div>
      </header>
      <WebhookProblem hook={webhook} />
      <div className={styles.bar}>
        <Segmented label="Filter" value={shown} choices={choices} onChange={setShown} />
      </div>
      {shown === 'waiting' || shown === 'lost' ? (
        <MessageTable key={shown} hookId={webhook.id} state={shown} />
      ) : (
        <DeliveryTable hookId={webhook.id} outcome={shown === 'failure' ? 'failure' : undefined} />
      )}
    </section>
  );
}

function WebhookDetails({ hook: webhook }: { readonly hook: HookView }) {
  const { kind, owner, events, format, hasSecret, formerSecretUntil, verifyTls } = webhook;
  return (
    <div className={styles.facts}>
      <DetailList>
        <span>
          {kind} {owner}
        </span>
        <span title={events.join(', ')}>{formatEvents(events)}</span>
        {format === 'form' && <span>form-encoded</span>}
        <span>{hasSecret ? 'signed' : 'not signed'}</span>
        {formerSecretUntil !== undefined && (
          <span>
            previous secret expires <RelativeTime iso={formerSecretUntil} />
          </span>
        )}
        {!verifyTls && <span>TLS verification off</span>}
      </DetailList>
    </div>
  );
}

const formatEvents = (events: readonly string[]): string =>
  events.includes('*') ? 'all events' : events.length > 3 ? `${events.length} events` : events.join(', ');

/** The problem of the webhook, and how to fix it. */
function WebhookProblem({ hook: webhook }: { readonly hook: HookView }) {
  const update = useWebhookMutation('webhooks.update');
  const { id, active, disabledReason, failingSince } = webhook;
  if (disabledReason !== undefined)
    return (
      <Notice
        tone="error"
        action={
          <Button
            size="small"
            isPending={update.isPending}
            onPress={() => update.mutate({ hookId: id, active: true }, { onError: showError })}
          >
            Enable
          </Button>
        }
      >
        {disabledReason}
      </Notice>
    );
  if (!active) return <Notice tone="info">This webhook is disabled. No events are sent.</Notice>;
  if (failingSince === undefined) return null;
  return (
    <Notice tone="warning">
      Deliveries started failing <RelativeTime iso={failingSince} />.
    </Notice>
  );
}
