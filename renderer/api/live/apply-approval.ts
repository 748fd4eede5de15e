import type { ApprovalView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { describeAsked } from '../../../core/model/run/approval.ts';
import type { RunEvent } from '../../../core/model/run/run-event.ts';
import type { RunRef } from '../../../core/model/run/run.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** A run, as far as its approvals describe it. */
export interface RunWithApprovals extends RunRef {
  readonly root?: RunRef;
}

/** Returns the step with a new approval request. */
export function withApprovalRequest(
  step: StepRunView,
  { id, node, attempt, question, details, inputs, required }: Of<'step.approval_requested'>,
  { name, dagRunId, root }: RunWithApprovals,
  at: string,
): StepRunView {
  const approval: ApprovalView = {
    id,
    name,
    dagRunId,
    root,
    step: node.name,
    section: node.section,
    attempt,
    question,
    details,
    inputs: [...inputs],
    required: [...required],
    askedAt: at,
  };
  return { ...step, approval, waiting: describeAsked({ name, dagRunId }, node, at) };
}

/** Returns the step with an answered approval. */
export function withApprovalAnswer(
  step: StepRunView,
  { id, decision, by, comment, values }: Of<'step.approval_resolved'>,
  at: string,
): StepRunView {
  if (step.approval?.id !== id) return step;
  const answer = { decision, answeredBy: by, answeredAt: at, comment, values: { ...values } };
  return { ...step, approval: { ...step.approval, ...answer }, waiting: undefined };
}

/** Returns an approval whose attempt has ended; an answered one is unchanged. */
export const ended = (approval: ApprovalView | undefined, at: string): ApprovalView | undefined =>
  approval === undefined || approval.decision !== undefined || approval.endedAt !== undefined
    ? approval
    : { ...approval, endedAt: at };
