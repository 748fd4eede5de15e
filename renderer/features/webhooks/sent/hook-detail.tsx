import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useHook, useWebhookChange } from '../../../api/queries/webhook-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { FactList } from '../../../ui/layout/fact-list.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { showRefusal } from '../../../ui/overlay/show-refusal.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import styles from '../webhooks.module.css';
import { DeliveryTable } from './deliveries/delivery-table.tsx';
import { HookActions } from './hook-actions.tsx';
import { MessageTable } from './deliveries/message-table.tsx';
import { shortenUrl } from './shorten-url.ts';

type Shown = 'all' | 'failure' | 'waiting' | 'lost';

/** One webhook: its settings, its deliveries, and pending and given-up events. */
export function HookDetail({ listed }: { readonly listed: HookView }) {
  const hook = useHook(listed.id).data ?? listed;
  const [shown, setShown] = useState<Shown>('all');
  const { messages: { waiting = 0, sending = 0, dead = 0, dropped = 0 } = {} } = hook;
  const onTheWay = waiting + sending;
  const lost = dead + dropped;
  const choices = [
    { value: 'all', label: 'Deliveries' },
    { value: 'failure', label: 'Failed' },
    { value: 'waiting', label: onTheWay === 0 ? 'Pending' : `Pending: ${onTheWay}` },
    { value: 'lost', label: lost === 0 ? 'Undelivered' : `Undelivered: ${lost}` },
  ] as const;
  return (
    <section className={styles.detail} aria-label={`Webhook ${shortenUrl(hook.url)}`}>
      <header className={styles.detailHead}>
        <div className={styles.detailTitle}>
          <h2>
            {shortenUrl(hook.url)} <CopyButton label="Copy URL" text={hook.url} />
          </h2>
          <HookFacts hook={hook} />
        </div>
        <div className={styles.detailActions}>
          <HookActions hook={hook} />
        </div>
      </header>
      <HookTrouble hook={hook} />
      <div className={styles.bar}>
        <Segmented label="Filter" value={shown} choices={choices} onChange={setShown} />
      </div>
      {shown === 'waiting' || shown === 'lost' ? (
        <MessageTable key={shown} hookId={hook.id} state={shown} />
      ) : (
        <DeliveryTable hookId={hook.id} outcome={shown === 'failure' ? 'failure' : undefined} />
      )}
    </section>
  );
}

function HookFacts({ hook }: { readonly hook: HookView }) {
  const { kind, owner, events, format, hasSecret, formerSecretUntil, verifyTls } = hook;
  return (
    <div className={styles.facts}>
      <FactList>
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
      </FactList>
    </div>
  );
}

const describeEvents = (events: readonly string[]): string =>
  events.includes('*') ? 'all events' : events.length > 3 ? `${events.length} events` : events.join(', ');

/** The problem of the webhook, and how to fix it. */
function HookTrouble({ hook }: { readonly hook: HookView }) {
  const update = useWebhookChange('webhooks.update');
  const { id, active, disabledReason, failingSince } = hook;
  if (disabledReason !== undefined)
    return (
      <Notice
        tone="error"
        action={
          <Button
            size="small"
            isPending={update.isPending}
            onPress={() => update.mutate({ hookId: id, active: true }, { onError: showRefusal })}
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
