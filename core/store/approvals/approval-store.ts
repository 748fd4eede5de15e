import type { ApprovalStore } from '../../run/approvals/ports.ts';
import type { Database } from '../database/database.ts';
import { answerApproval, findApproval } from './answer-approval.ts';
import { findApprovalOf, listApprovals, readApprovalMark } from './list-approvals.ts';

/** Creates the approval store on an open connection. */
export const createApprovalStore = (database: Database): ApprovalStore => ({
  list: (filter) => listApprovals(database, filter),
  find: (id) => findApproval(database, id),
  findOf: (runKey, node, attempt) => findApprovalOf(database, runKey, node, attempt),
  answer: (id, answer, at) => answerApproval(database, id, answer, at),
  mark: () => readApprovalMark(database),
});
