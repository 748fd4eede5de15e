import { Webhook, Inbox, Plus, Send } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../core/contract/webhook-views.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { ReceiverView } from '../../../core/contract/receivers.ts';
import { LoadMore, SideList, ListAndDetail } from '../../ui/list/list-end.tsx';
import items from '../../ui/list/list.module.css';
import { useWebhookList, useReceivers, isWebhookList, webhooksKey } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useCan } from '../../api/session-queries.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type OutcomeTone, Outcome } from './request-table.tsx';
import { formatAnswer } from './delivery-table.tsx';
import { shortenUrl } from './webhook-form.ts';
import { WebhookDetail } from './webhook-detail.tsx';
import { schemeLabels, ReceiverDialog } from './receiver-dialog.tsx';
import { ReceiverDetail } from './receiver-detail.tsx';
import { ComposeEventDialog } from './compose-dialog.tsx';
import { EventCatalog } from './event-catalog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

/** Describes the health of a webhook in a few words. */
function toHealthOutcome(webhook: HookView): { readonly tone: OutcomeTone; readonly children: string } {
  const { active, disabledReason, lastResponse } = webhook;
  if (disabledReason !== undefined) return { tone: 'bad', children: 'Disabled after failures' };
  if (!active) return { tone: 'quiet', children: 'Disabled' };
  if (lastResponse.status === 'unused') return { tone: 'quiet', children: 'No deliveries yet' };
  if (lastResponse.status === 'active')
    return { tone: 'good', children: `Last response ${lastResponse.code}` };
  return {
    tone: 'bad',
    children: formatAnswer({ delivered: false, status: lastResponse.message ?? lastResponse.status }),
  };
}

interface WebhookListProps {
  readonly hooks: readonly HookView[];
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
  readonly chosen: number;
  readonly onChoose: (id: number) => void;
}

/** All webhooks, with one selected. */
function WebhookList({ hooks: webhooks, query, chosen, onChoose }: WebhookListProps) {
  return (
    <SideList
      label="Webhooks"
      items={webhooks}
      getKey={({ id }) => String(id)}
      chosen={String(chosen)}
      onChoose={(id) => onChoose(Number(id))}
      foot={<LoadMore query={query} />}
    >
      {(webhook) => (
        <>
          <span className={items.itemName} title={webhook.url}>
            {shortenUrl(webhook.url)}
          </span>
          <span className={items.itemMore}>
            {webhook.kind} {webhook.owner}
          </span>
          <span className={items.itemMore}>
            <Outcome {...toHealthOutcome(webhook)} />
          </span>
        </>
      )}
    </SideList>
  );
}

/** The outgoing webhooks, and the selected one with its deliveries. */
function WebhooksView({ onMake }: { readonly onMake: () => void }) {
  const webhooks = useWebhookList();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={webhooks} what="The webhooks">
      {(all) => {
        const chosen = all.find(({ id }) => String(id) === query.get('hook')) ?? all[0];
        if (chosen === undefined) return <NoWebhooks onMake={onMake} />;
        return (
          <ListAndDetail
            id="webhooks"
            what="Webhook"
            requested={query.get('hook')}
            shown={String(chosen.id)}
            isFetching={webhooks.isFetching}
            list={
              <WebhookList
                query={webhooks}
                hooks={all}
                chosen={chosen.id}
                onChoose={(id) => change({ hook: String(id), delivery: undefined })}
              />
            }
          >
            <WebhookDetail key={chosen.id} listed={chosen} />
          </ListAndDetail>
        );
      }}
    </QueryState>
  );
}

function NoWebhooks({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState illustration="webhooks" title="No webhooks yet">
      <p>Webhooks notify other services of events such as failed runs. Failed deliveries are retried.</p>
      <Button icon={Webhook} onPress={onMake}>
        New webhook
      </Button>
    </EmptyState>
  );
}

interface ReceiverListProps {
  readonly receivers: readonly ReceiverView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** All receivers, with one selected. */
function ReceiverList({ receivers, chosen, onChoose }: ReceiverListProps) {
  return (
    <SideList label="Receivers" items={receivers} getKey={({ id }) => id} chosen={chosen} onChoose={onChoose}>
      {({ name, scheme, active, workflows }) => (
        <>
          <span className={items.itemName}>{name}</span>
          <span className={items.itemMore}>{schemeLabels[scheme].label}</span>
          <span className={items.itemMore}>
            <Outcome {...toListenersOutcome(active, workflows.length)} />
          </span>
        </>
      )}
    </SideList>
  );
}

function toListenersOutcome(active: boolean, workflows: number): React.ComponentProps<typeof Outcome> {
  if (!active) return { tone: 'quiet', children: 'Disabled' };
  if (workflows === 0) return { tone: 'quiet', children: 'No workflows' };
  return { tone: 'good', children: pluralize(workflows, 'workflow') };
}

/** The receivers, and the selected one with its deliveries. */
function ReceiversView({ onMake }: { readonly onMake: () => void }) {
  const receivers = useReceivers();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={receivers} what="The receivers">
      {(all) => {
        const chosen = all.find(({ id }) => id === query.get('receiver')) ?? all[0];
        if (chosen === undefined) return <NoReceivers onMake={onMake} />;
        return (
          <ListAndDetail
            id="receivers"
            what="Receiver"
            requested={query.get('receiver')}
            shown={chosen.id}
            isFetching={receivers.isFetching}
            list={
              <ReceiverList
                receivers={all}
                chosen={chosen.id}
                onChoose={(receiver) => change({ receiver, received: undefined })}
              />
            }
          >
            <ReceiverDetail key={chosen.id} receiver={chosen} />
          </ListAndDetail>
        );
      }}
    </QueryState>
  );
}

function NoReceivers({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState illustration="webhooks" title="No receivers yet">
      <p>
        A receiver is a URL for incoming webhooks. Workflows use it with <code>on: webhook:</code>.
      </p>
      <Button icon={Inbox} onPress={onMake}>
        New receiver
      </Button>
    </EmptyState>
  );
}

type View = 'sent' | 'received' | 'events';
type Making = 'hook' | 'receiver' | 'event';

const isView = (word: string | null): word is View => word === 'received' || word === 'events';

/** Outgoing webhooks, receivers of incoming ones, and the event catalog. */
export function WebhooksPage() {
  useSystemChanges('webhooks', webhooksKey, { isList: isWebhookList });
  const [query, change] = useQueryParams();
  const [making, setMaking] = useState<Making>();
  const requestedView = query.get('view');
  const view = isView(requestedView) ? requestedView : 'sent';
  const close = (): void => setMaking(undefined);
  return (
    <Page title={getPageLabel(paths.webhooks)} actions={<PageActions view={view} onMake={setMaking} />}>
      <Tabs<View>
        label="Webhooks"
        value={view}
        onChange={(chosen) => change({ view: chosen === 'sent' ? undefined : chosen })}
        tabs={[
          { id: 'sent', label: 'Sent', content: <WebhooksView onMake={() => setMaking('hook')} /> },
          {
            id: 'received',
            label: 'Received',
            content: <ReceiversView onMake={() => setMaking('receiver')} />,
          },
          { id: 'events', label: 'Events', content: <EventCatalog /> },
        ]}
      />
      {making === 'hook' && (
        <WebhookDialog onDone={({ id }) => change({ hook: String(id), view: undefined })} onClose={close} />
      )}
      {making === 'receiver' && (
        <ReceiverDialog onDone={({ id }) => change({ receiver: id, view: 'received' })} onClose={close} />
      )}
      {making === 'event' && <ComposeEventDialog initial={query.get('event') ?? 'push'} onClose={close} />}
    </Page>
  );
}

interface PageActionsProps {
  readonly view: View;
  readonly onMake: (making: Making) => void;
}

function PageActions({ view, onMake }: PageActionsProps) {
  const mayEmit = useCan('webhooks.emit');
  const mayWebhook = useCan('webhooks.create');
  const mayReceive = useCan('receivers.create');
  return (
    <>
      <Button icon={Send} unavailable={mayEmit.reason} onPress={() => onMake('event')}>
        Send a test event…
      </Button>
      {view === 'sent' && (
        <Button variant="primary" icon={Plus} unavailable={mayWebhook.reason} onPress={() => onMake('hook')}>
          New webhook…
        </Button>
      )}
      {view === 'received' && (
        <Button
          variant="primary"
          icon={Plus}
          unavailable={mayReceive.reason}
          onPress={() => onMake('receiver')}
        >
          New receiver…
        </Button>
      )}
    </>
  );
}
