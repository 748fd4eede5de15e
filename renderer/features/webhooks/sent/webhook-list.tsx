import type { HookView } from '../../../../core/contract/webhooks/webhook-views.ts';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { SideList } from '../../../ui/list/side-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { describeHealth } from './describe-health.ts';
import { shortenUrl } from './shorten-url.ts';
import items from '../../../ui/list/side-list.module.css';

interface WebhookListProps {
  readonly hooks: readonly HookView[];
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
  readonly chosen: number;
  readonly onChoose: (id: number) => void;
}

/** All webhooks, with one selected. */
export function WebhookList({ hooks: webhooks, query, chosen, onChoose }: WebhookListProps) {
  return (
    <SideList
      label="Webhooks"
      items={webhooks}
      keyOf={({ id }) => String(id)}
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
            <Outcome {...describeHealth(webhook)} />
          </span>
        </>
      )}
    </SideList>
  );
}
