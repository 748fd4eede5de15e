import Type from 'typebox';
import { decisions, maxAnswerTextLength } from '../model/approval.ts';
import { defineOperation } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import { ApprovalView, DagName, literals, RunId } from './run-views.ts';

const AnswerText = Type.String({ maxLength: maxAnswerTextLength });

export const approvalOperations = {
  'approvals.list': defineOperation({
    summary: 'List approval requests, newest first',
    method: 'GET',
    path: '/approvals',
    input: Type.Object({
      decision: Type.Optional(
        literals(['open', ...decisions], {
          description: 'Filter by decision, or open requests',
        }),
      ),
      dag: Type.Optional(DagName),
      dagRunId: Type.Optional(RunId),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ approvals: Type.Array(ApprovalView), nextCursor: NextCursor }),
    errors: [],
    role: 'viewer',
  }),
  'approvals.answer': defineOperation({
    summary: 'Approve or reject an approval request. A request can be answered only once',
    method: 'POST',
    path: '/approvals/{id}/answer',
    input: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64, description: 'Approval request ID' }),
      decision: literals(decisions, { description: 'Decision' }),
      comment: Type.Optional(
        Type.String({ maxLength: maxAnswerTextLength, description: 'Comment stored with the decision' }),
      ),
      values: Type.Optional(
        Type.Record(Type.String(), AnswerText, {
          description: 'Input values, by input name',
        }),
      ),
    }),
    output: ApprovalView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'answer an approval request',
    audit: 'approval',
  }),
};
