import Type from 'typebox';
import { decisions, longestAnswerText } from '../../model/run/approval.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import { ApprovalView, DagName, literals, RunId } from './run-views.ts';

const AnswerText = Type.String({ maxLength: longestAnswerText });

export const approvalOperations = {
  'approvals.list': defineOperation({
    summary: 'Lists what steps of type `approval` have asked, newest first',
    method: 'GET',
    path: '/approvals',
    input: Type.Object({
      decision: Type.Optional(
        literals(['open', ...decisions], {
          description: 'Only what still waits for an answer, or has this one',
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
    summary: 'Approves or rejects what a step asks; it goes on with that. An answer is given once',
    method: 'POST',
    path: '/approvals/{id}/answer',
    input: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the question' }),
      decision: literals(decisions, { description: 'The answer' }),
      comment: Type.Optional(
        Type.String({ maxLength: longestAnswerText, description: 'Why, in words; kept with the answer' }),
      ),
      values: Type.Optional(
        Type.Record(Type.String(), AnswerText, {
          description: 'Texts by the names of the inputs of the question',
        }),
      ),
    }),
    output: ApprovalView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
  }),
};
