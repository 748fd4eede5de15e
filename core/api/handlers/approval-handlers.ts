import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { OperationInput } from '../../contract/operations.ts';
import type { Question } from '../../model/approval.ts';
import { toApprovalView } from '../views.ts';
import { parseTextCursor, toTextCursor, type HandlersFor } from './handlers.ts';

const defaultPageSize = 50;

/** Operations on approvals. */
export const approvalHandlers: HandlersFor<'approvals.list' | 'approvals.answer'> = {
  'approvals.list': ({ decision, dag, dagRunId, limit = defaultPageSize, cursor }, { approvals }) => {
    const before = parseTextCursor(cursor, 1)?.[0];
    const page = approvals.list({ state: decision, name: dag, dagRunId, before, limit });
    return {
      approvals: page.approvals.map(toApprovalView),
      ...(page.next !== undefined && { nextCursor: toTextCursor([page.next]) }),
    };
  },
  'approvals.answer': (input, { approvals, clock, hub }, caller) => {
    const { id, decision, comment } = input;
    const approval = approvals.find(id);
    if (approval === undefined) throw new AppError('not_found', `Approval request "${id}" not found.`);
    const values = readValues(input, approval);
    const answer = { decision, by: caller.name, ...(comment?.trim() && { comment: comment.trim() }), values };
    const answered = approvals.answer(id, answer, clock.now());
    hub.pump();
    return toApprovalView(answered);
  },
};

/**
 * Returns the inputs of an answer.
 * @throws `bad_request` naming the field
 */
function readValues(
  { decision, values = {} }: OperationInput<'approvals.answer'>,
  { inputs, required }: Question,
): Record<string, string> {
  for (const name of Object.keys(values))
    if (!inputs.includes(name)) throw invalidValueError(name, formatUnknownInput(name, inputs));
  const nonEmpty = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const missing = required.find((name) => nonEmpty[name] === undefined);
  if (decision === 'approved' && missing !== undefined)
    throw invalidValueError(missing, 'required for approval');
  return nonEmpty;
}

function formatUnknownInput(name: string, inputs: readonly string[]): string {
  if (inputs.length === 0) return 'this request has no inputs';
  const nearest = findNearest(name, inputs);
  return nearest === undefined
    ? `unknown input. Valid inputs: ${inputs.join(', ')}.`
    : `unknown input. Did you mean "${nearest}"?`;
}

const invalidValueError = (name: string, problem: string): AppError =>
  new AppError('bad_request', `values.${name}: ${problem}`, { details: { field: `values.${name}` } });
