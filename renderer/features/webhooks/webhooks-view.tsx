import { Webhook } from 'lucide-react';
import type { HookView } from '../../../core/contract/webhook-views.ts';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { SideList, NotInListNotice } from '../../ui/list/side-list.tsx';
import items from '../../ui/list/list.module.css';
import { useWebhookList } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Split } from '../../ui/splitter.tsx';
import { type OutcomeTone, Outcome } from './request-table.tsx';
import { formatAnswer } from './delivery-table.tsx';
import { shortenUrl } from './webhook-form.ts';
import { WebhookDetail } from './webhook-detail.tsx';

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
export function WebhooksView({ onMake }: { readonly onMake: () => void }) {
  const webhooks = useWebhookList();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={webhooks} what="The webhooks">
      {(all) => {
        const chosen = all.find(({ id }) => String(id) === query.get('hook')) ?? all[0];
        if (chosen === undefined) return <NoWebhooks onMake={onMake} />;
        return (
          <>
            <NotInListNotice
              what="Webhook"
              requested={query.get('hook')}
              shown={String(chosen.id)}
              isFetching={webhooks.isFetching}
            />
            <Split
              id="webhooks"
              label="Webhook list width"
              direction="columns"
              initial={0.3}
              first={
                <WebhookList
                  query={webhooks}
                  hooks={all}
                  chosen={chosen.id}
                  onChoose={(id) => change({ hook: String(id), delivery: undefined })}
                />
              }
              second={<WebhookDetail key={chosen.id} listed={chosen} />}
            />
          </>
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
