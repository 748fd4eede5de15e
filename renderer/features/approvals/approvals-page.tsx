import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { useResolvedApprovals, useOpenApprovals } from '../../api/queries/runs/approval-queries.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useQueryParams } from '../../app/address.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { NotInListNotice } from '../../ui/state/absent-notice.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ApprovalDetail } from './approval-detail.tsx';
import { ApprovalList } from './approval-list.tsx';
import {
  emptyListLabels,
  readApprovalFilter,
  type ApprovalFilterValue,
  approvalFilterOptions,
} from './approval-filter.ts';
import { NoApprovals } from './no-approvals.tsx';

/** The open approvals, the answered ones below, and one of them to read and answer. */
export function ApprovalsPage() {
  useSystemChanges('approvals', queryKeys.approvals);
  const [query, change] = useQueryParams();
  const shown = readApprovalFilter(query.get('show'));
  const open = useOpenApprovals();
  const count = open.data?.length ?? 0;
  return (
    <Page title="Approvals">
      <FilterBar>
        <Segmented<ApprovalFilterValue>
          label="Filter"
          value={shown}
          choices={approvalFilterOptions(count)}
          onChange={(show) => change({ show: show === 'all' ? undefined : show, approval: undefined })}
        />
      </FilterBar>
      <QueryState query={open} what="The approvals">
        {(waiting) => <Approvals key={shown} shown={shown} open={waiting} />}
      </QueryState>
    </Page>
  );
}

interface ApprovalsProps {
  readonly shown: ApprovalFilterValue;
  readonly open: readonly ApprovalView[];
}

function Approvals({ shown, open }: ApprovalsProps) {
  const answered = useResolvedApprovals(shown === 'approved' || shown === 'rejected' ? shown : undefined);
  return (
    <QueryState query={answered} what="The approvals">
      {({ pages }) => {
        const isOpen = new Set(open.map(({ id }) => id));
        const closed = pages.flatMap(({ approvals }) => approvals).filter(({ id }) => !isOpen.has(id));
        return <Chooser {...{ shown, open, closed }} query={answered} />;
      }}
    </QueryState>
  );
}

interface ChooserProps extends ApprovalsProps {
  readonly closed: readonly ApprovalView[];
  readonly query: ReturnType<typeof useResolvedApprovals>;
}

function Chooser({ shown, open, closed, query: answered }: ChooserProps) {
  const [query, change] = useQueryParams();
  const [lastShown, setLastShown] = useState<ApprovalView>();
  const listed = [...(shown === 'all' || shown === 'open' ? open : []), ...(shown === 'open' ? [] : closed)];
  // The selected approval stays when the lists change, and when answering it removes it from them.
  const id = query.get('approval') ?? lastShown?.id;
  const chosen =
    [...open, ...closed].find((one) => one.id === id) ??
    (lastShown?.id === id ? lastShown : undefined) ??
    listed[0];
  if (chosen !== lastShown) setLastShown(chosen);
  if (chosen === undefined)
    return shown === 'all' ? <NoApprovals /> : <EmptyState icon={UserCheck} title={emptyListLabels[shown]} />;
  return (
    <>
      <NotInListNotice
        what="approval"
        requested={query.get('approval')}
        shown={chosen.id}
        isFetching={answered.isFetching}
        explanation="The approval may be older or deleted. Showing another one."
      />
      <Split
        id="approvals"
        label="Approval list width"
        direction="columns"
        initial={0.34}
        first={
          <ApprovalList
            approvals={listed}
            chosen={chosen.id}
            onChoose={(one) => change({ approval: one })}
            query={answered}
          />
        }
        second={
          <ApprovalDetail
            key={chosen.id}
            approval={chosen}
            onAnswer={(one) => change({ approval: one.id })}
          />
        }
      />
    </>
  );
}
