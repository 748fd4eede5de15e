import type { ApprovalView, RunDetailView } from '../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { isActive } from '../../format/status.ts';
import { useOpenApprovals } from '../../api/queries/runs/approval-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { firstLineOf } from './approval-state.ts';

interface ApprovalNoticeProps {
  readonly run: RunDetailView;
  /** Goes to the step that asks; `of` is its run if that is a sub-run. */
  readonly onAnswer: (step: NodeRef, of?: RunRef) => void;
}

/** Notice on the run page about open approvals of the run or its sub-runs, with a link to each. */
export function ApprovalNotice({ run, onAnswer }: ApprovalNoticeProps) {
  const open = useOpenApprovals().data ?? [];
  const openApprovals = isActive(run) ? open.filter((approval) => isBelow(approval, run)) : [];
  return openApprovals.map((approval) => (
    <SingleApproval key={approval.id} approval={approval} run={run} onAnswer={onAnswer} />
  ));
}

const isSame = (left: RunRef, right: RunRef): boolean =>
  left.name === right.name && left.dagRunId === right.dagRunId;

const isBelow = (approval: ApprovalView, run: RunDetailView): boolean =>
  isSame(approval, run) || (approval.root !== undefined && isSame(approval.root, run));

function SingleApproval({
  approval,
  run,
  onAnswer,
}: ApprovalNoticeProps & { readonly approval: ApprovalView }) {
  const may = useCan('approvals.answer');
  const { name, dagRunId, step, section, question } = approval;
  const isOwn = isSame(approval, run);
  return (
    <Notice
      tone="asking"
      action={
        <Button
          variant={may.allowed ? 'primary' : 'secondary'}
          size="small"
          onPress={() => onAnswer({ section, name: step }, isOwn ? undefined : { name, dagRunId })}
        >
          {may.allowed ? 'Approve…' : 'View'}
        </Button>
      }
    >
      <strong>
        {section === 'handler' ? 'Handler' : 'Step'} <bdi>{step}</bdi>
        {!isOwn && ` of ${name}`} is waiting for approval:
      </strong>{' '}
      <bdi>{firstLineOf(question)}</bdi>
    </Notice>
  );
}
