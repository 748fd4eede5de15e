import { toIso } from '../base/clock.ts';
import type { ApprovalView } from '../contract/runs/run-views.ts';
import { describeAsked, isOpen, type ApprovalRecord } from '../model/run/approval.ts';

/** Converts an approval to its view. */
export function toApprovalView(record: ApprovalRecord): ApprovalView {
  const { id, run, root, node, attempt, question, details, inputs, required, answer, endedAt } = record;
  return {
    id,
    ...run,
    root,
    step: node.name,
    section: node.section,
    attempt,
    question,
    details,
    inputs: [...inputs],
    required: [...required],
    askedAt: toIso(record.askedAt),
    answeredAt: answer && toIso(answer.at),
    decision: answer?.decision,
    answeredBy: answer?.by,
    comment: answer?.comment,
    values: answer && { ...answer.values },
    endedAt: endedAt === undefined ? undefined : toIso(endedAt),
  };
}

/** Returns why a step waits for an approval; undefined if it does not. */
export const describeWaiting = (request: ApprovalRecord | undefined): string | undefined =>
  request === undefined || !isOpen(request)
    ? undefined
    : describeAsked(request.run, request.node, toIso(request.askedAt));
