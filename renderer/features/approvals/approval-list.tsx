import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { SideList } from '../../ui/list/side-list.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { firstLineOf, stateOf } from './approval-state.ts';
import styles from './approvals.module.css';
import { ApprovalStateBadge } from './state-mark.tsx';
import items from '../../ui/list/side-list.module.css';

interface ApprovalListProps {
  readonly approvals: readonly ApprovalView[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  /** Query of the answered approvals. */
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
}

/** The approvals, open ones first, with one selected. */
export function ApprovalList({ approvals, chosen, onChoose, query }: ApprovalListProps) {
  return (
    <SideList
      label="Approvals"
      items={approvals}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
      foot={<LoadMore query={query} />}
    >
      {(approval) => (
        <>
          <span className={styles.itemHead} dir="auto">
            {firstLineOf(approval.question)}
          </span>
          <span className={items.itemMore} dir="auto">
            {approval.name} › {approval.step}
          </span>
          <span className={styles.itemFoot}>
            <ApprovalStateBadge state={stateOf(approval)} />
            <RelativeTime iso={approval.answeredAt ?? approval.endedAt ?? approval.askedAt} />
          </span>
        </>
      )}
    </SideList>
  );
}
