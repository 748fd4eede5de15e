import type { ApprovalRecord } from '../../model/run/approval.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { ApprovalFilter, ApprovalPage } from '../../run/approvals/ports.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { openCondition, openIdsSql, selectApproval, toApprovalRecord, type ApprovalRow } from './rows.ts';

export function listApprovals(
  database: Database,
  { state, name, dagRunId, before, limit }: ApprovalFilter,
): ApprovalPage {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const require = (condition: string, value?: SqlValue): void => {
    conditions.push(condition);
    if (value !== undefined) values.push(value);
  };
  if (state === 'open') require(openCondition);
  else if (state !== undefined) require('approval.decision = ?', state);
  if (name !== undefined) require('run.dag = ?', name);
  if (dagRunId !== undefined) require('run.run_id = ?', dagRunId);
  if (before !== undefined) require('approval.id < ?', before);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql = `${selectApproval} ${where} ORDER BY approval.id DESC LIMIT ?`;
  const rows = database.all<ApprovalRow>(sql, ...values, limit + 1);
  const approvals = rows.slice(0, limit).map(toApprovalRecord);
  return rows.length > limit ? { approvals, next: approvals.at(-1)?.id } : { approvals };
}

/** Returns the question of an attempt, if it has one. */
export function findApprovalOf(
  database: Database,
  runKey: number,
  { section, name }: NodeId,
  attempt: number,
): ApprovalRecord | undefined {
  const row = database.get<ApprovalRow>(
    `${selectApproval} WHERE approval.run_key = ? AND approval.section = ? AND approval.name = ? AND approval.attempt = ?`,
    runKey,
    section,
    name,
    attempt,
  );
  return row && toApprovalRecord(row);
}

/** Lists all questions of a run, those of later attempts after those of earlier ones. */
export const listApprovalsOfRun = (database: Database, runKey: number): ApprovalRecord[] =>
  database
    .all<ApprovalRow>(`${selectApproval} WHERE approval.run_key = ? ORDER BY approval.attempt`, runKey)
    .map(toApprovalRecord);

export function readApprovalMark(database: Database): string {
  const newestId = database.get<{ id: string | null }>('SELECT max(id) AS id FROM approval')?.id ?? '';
  return [newestId, ...database.all<{ id: string }>(openIdsSql).map(({ id }) => id)].join(' ');
}
