import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { EventView } from '../../../core/contract/runs/events.ts';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';

type ApprovalPage = OperationOutput<'approvals.list'>;

/** Updates the open approvals: removes those that were answered or whose attempt has ended. */
export function patchOpenApprovals(page: ApprovalPage, view: EventView): ApprovalPage {
  const approvals = page.approvals.filter((approval) => !isClosedBy(approval, view));
  return approvals.length === page.approvals.length ? page : { ...page, approvals };
}

function isClosedBy(approval: ApprovalView, { name, dagRunId, event }: EventView): boolean {
  if (approval.name !== name || approval.dagRunId !== dagRunId) return false;
  switch (event.type) {
    case 'step.approval_resolved':
      return event.id === approval.id;
    case 'step.finished':
    case 'step.ended':
    case 'step.retry_scheduled':
      return event.node.name === approval.step && event.node.section === approval.section;
    default:
      return event.type === 'run.finished';
  }
}
