import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import { useWebhook, useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { DetailList } from '../../../ui/layout/detail-list.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import styles from '../webhooks.module.css';
import { DeliveryTable } from './deliveries/delivery-table.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { MessageTable } from './deliveries/message-table.tsx';
import { shortenUrl } from './shorten-url.ts';

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
        <span title={events.join(', ')}>{describeEvents(events)}</span>
        {format === 'form' && <span>form-encoded</span>}
        <span>{hasSecret ? 'signed' : 'not signed'}</span>
        {formerSecretUntil !== undefined && (
          <span>
            previous secret valid until <RelativeTime iso={formerSecretUntil} />
          </span>
        )}
        {!verifyTls && <span>TLS verification off</span>}
      </DetailList>
    </div>
  );
}

const describeEvents = (events: readonly string[]): string =>
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
      Deliveries are failing since <RelativeTime iso={failingSince} />.
    </Notice>
  );
}
