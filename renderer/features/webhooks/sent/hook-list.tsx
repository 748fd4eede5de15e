import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { SideList } from '../../../ui/list/side-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { describeHealth } from './describe-health.ts';
import { shortenUrl } from './shorten-url.ts';
import items from '../../../ui/list/side-list.module.css';

interface HookListProps {
  readonly hooks: readonly HookView[];
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
  readonly chosen: number;
  readonly onChoose: (id: number) => void;
}

/** All webhooks, with one selected. */
export function HookList({ hooks, query, chosen, onChoose }: HookListProps) {
  return (
    <SideList
      label="Webhooks"
      items={hooks}
      keyOf={({ id }) => String(id)}
      chosen={String(chosen)}
      onChoose={(id) => onChoose(Number(id))}
      foot={<LoadMore query={query} />}
    >
      {(hook) => (
        <>
          <span className={items.itemName} title={hook.url}>
            {shortenUrl(hook.url)}
          </span>
          <span className={items.itemMore}>
            {hook.kind} {hook.owner}
          </span>
          <span className={items.itemMore}>
            <Outcome {...describeHealth(hook)} />
          </span>
        </>
      )}
    </SideList>
  );
}
