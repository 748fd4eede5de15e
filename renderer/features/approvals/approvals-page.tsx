import { History, Repeat, UserCheck } from 'lucide-react';
import { Link } from 'wouter';
import { useState } from 'react';
import type { ApprovalView } from '../../../core/contract/run-views.ts';
import { LoadMore, SideList, ListAndDetail } from '../../ui/list/list-end.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import items from '../../ui/list/list.module.css';
import { paths, withQuery, useQueryParams } from '../../navigation/address.ts';
import { shortenRunId } from '../../format/values.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import {
  useResolvedApprovals,
  useOpenApprovals,
  getFirstLine,
  getState,
} from '../../api/approval-queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { Page } from '../../ui/page.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import styles from './approvals.module.css';
import { ApprovalStateBadge, ApprovalAnswer } from './approval-answer.tsx';
import { ApprovalQuestion, WaitDetails } from './step-approval.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';

const choices = ['open', 'all', 'approved', 'rejected'] as const;

/** Which approvals are listed. */
type ApprovalFilterValue = (typeof choices)[number];

/** Reads the choice from the address; open approvals for an unknown value. */
const readApprovalFilter = (word: string | null): ApprovalFilterValue =>
  choices.find((one) => one === word) ?? 'open';

const labels: Readonly<Record<ApprovalFilterValue, string>> = {
  all: 'All',
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** Returns the choices with their labels. @param open number of open approvals */
const approvalFilterOptions = (
  open: number,
): readonly { readonly value: ApprovalFilterValue; readonly label: string }[] =>
  choices.map((value) => ({
    value,
    label: value === 'open' && open > 0 ? `Open (${open.toLocaleString('en')})` : labels[value],
  }));

/** Texts of the empty list. */
const emptyListLabels: Readonly<Record<Exclude<ApprovalFilterValue, 'all'>, string>> = {
  open: 'No open approvals',
  approved: 'No approved requests',
  rejected: 'No rejected requests',
};

interface ApprovalListProps {
  readonly approvals: readonly ApprovalView[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  /** Query of the answered approvals. */
  readonly query: React.ComponentProps<typeof LoadMore>['query'];
}

/** The approvals, open ones first, with one selected. */
function ApprovalList({ approvals, chosen, onChoose, query }: ApprovalListProps) {
  return (
    <SideList
      label="Approvals"
      items={approvals}
      getKey={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
      foot={<LoadMore query={query} />}
    >
      {(approval) => (
        <>
          <span className={styles.itemHead} dir="auto">
            {getFirstLine(approval.question)}
          </span>
          <span className={items.itemMore} dir="auto">
            {approval.name} › {approval.step}
          </span>
          <span className={styles.itemFoot}>
            <ApprovalStateBadge state={getState(approval)} />
            <RelativeTime iso={approval.answeredAt ?? approval.endedAt ?? approval.askedAt} />
          </span>
        </>
      )}
    </SideList>
  );
}

/** Returns the page of the run with the step that asks. */
export const getHref = ({ name, dagRunId, step }: ApprovalView): string =>
  withQuery(paths.run(name, dagRunId), { step });

interface ApprovalDetailProps {
  readonly approval: ApprovalView;
  readonly onAnswer: (approval: ApprovalView) => void;
}

/** One approval with its origin and its answer. */
function ApprovalDetail({ approval, onAnswer }: ApprovalDetailProps) {
  const { name, dagRunId, step, attempt } = approval;
  return (
    <section className={styles.detail} aria-label={`${step} of ${name}`}>
      <header className={styles.detailHead}>
        <h2 dir="auto">
          {name} › {step}
        </h2>
        <WaitDetails approval={approval}>
          <span>
            <History size={14} aria-hidden="true" />
            <Link href={getHref(approval)} title={dagRunId}>
              Run {shortenRunId(dagRunId)}
            </Link>
          </span>
          {attempt > 1 && (
            <span>
              <Repeat size={14} aria-hidden="true" />
              attempt {attempt}
            </span>
          )}
        </WaitDetails>
      </header>
      <div className={styles.body}>
        <div className={styles.sheet}>
          <ApprovalQuestion approval={approval} />
          <ApprovalAnswer approval={approval} onAnswer={onAnswer} />
        </div>
      </div>
    </section>
  );
}

/** A workflow that asks for approval. */
export const approvalExample = `steps:
  - name: build
    command: make release
  - name: ask
    type: approval
    config:
      question: Release this build to production?
      inputs: [TICKET]
      required: [TICKET]
    output: ANSWER
  - name: release
    command: ./release.sh "\${ANSWER.inputs.TICKET}"
`;

/** Empty state before the first approval: what an approval step is, with an example to copy. */
function NoApprovals() {
  return (
    <EmptyState illustration="approvals" title="No approvals yet">
      <p>
        Add a step of type <code>approval</code> to pause a run until someone approves or rejects it.
      </p>
      <figure className={styles.example}>
        <pre>{approvalExample}</pre>
        <CopyButton label="Copy example" text={approvalExample} />
      </figure>
    </EmptyState>
  );
}

/** The open approvals, the answered ones below, and one of them to read and answer. */
export function ApprovalsPage() {
  useSystemChanges('approvals', queryKeys.approvals);
  const [query, change] = useQueryParams();
  const shown = readApprovalFilter(query.get('show'));
  const open = useOpenApprovals();
  const count = open.data?.length ?? 0;
  return (
    <Page title={getPageLabel(paths.approvals)}>
      <FilterBar>
        <Segmented<ApprovalFilterValue>
          label="Filter"
          value={shown}
          choices={approvalFilterOptions(count)}
          onChange={(show) => change({ show: show === 'open' ? undefined : show, approval: undefined })}
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
    return shown === 'all' || (shown === 'open' && closed.length === 0) ? (
      <NoApprovals />
    ) : (
      <EmptyState icon={UserCheck} title={emptyListLabels[shown]}>
        <Button onPress={() => change({ show: 'all' })}>Show all</Button>
      </EmptyState>
    );
  return (
    <ListAndDetail
      id="approvals"
      what="Approval"
      requested={query.get('approval')}
      shown={chosen.id}
      isFetching={answered.isFetching}
      explanation="It may have been deleted. Showing another approval."
      list={
        <ApprovalList
          approvals={listed}
          chosen={chosen.id}
          onChoose={(one) => change({ approval: one })}
          query={answered}
        />
      }
    >
      <ApprovalDetail key={chosen.id} approval={chosen} onAnswer={(one) => change({ approval: one.id })} />
    </ListAndDetail>
  );
}
