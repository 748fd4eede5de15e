import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { SideList } from '../../../ui/list/side-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import styles from '../webhooks.module.css';
import { describeHealth } from './describe-health.ts';
import { shortenUrl } from './shorten-url.ts';

interface HookListProps {
  readonly hooks: readonly HookView[];
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
  readonly chosen: number;
  readonly onChoose: (id: number) => void;
}

/** All webhooks, one of which is looked at. */
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
          <span className={styles.itemName} title={hook.url}>
            {shortenUrl(hook.url)}
          </span>
          <span className={styles.itemMore}>
            {hook.kind} {hook.owner}
          </span>
          <span className={styles.itemMore}>
            <Outcome {...describeHealth(hook)} />
          </span>
        </>
      )}
    </SideList>
  );
}
