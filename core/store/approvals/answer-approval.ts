import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Answer, ApprovalRecord } from '../../model/run/approval.ts';
import { formatActor } from '../../model/run/actor.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { selectApproval, toApprovalRecord, type ApprovalRow } from './rows.ts';

const findSql = `${selectApproval} WHERE approval.id = ?`;

export function findApproval(database: Database, id: string): ApprovalRecord | undefined {
  const row = database.get<ApprovalRow>(findSql, id);
  return row && toApprovalRecord(row);
}

export function answerApproval(database: Database, id: string, answer: Answer, at: number): ApprovalRecord {
  return database.write(() => {
    const row = database.get<ApprovalRow>(findSql, id);
    if (row === undefined) throw new AppError('not_found', `Approval request "${id}" not found.`);
    const approval = toApprovalRecord(row);
    throwAnswered(approval);
    const { decision, by, comment, values } = answer;
    database.run(
      'UPDATE approval SET decision = ?, answered_by = ?, comment = ?, given = ?, answered_at = ? WHERE id = ?',
      decision,
      by,
      comment ?? null,
      JSON.stringify(values),
      at,
      id,
    );
    const { node, attempt } = approval;
    insertEvent(database, row.run_key, at, { type: 'step.approval_resolved', node, attempt, id, ...answer });
    return { ...approval, answer: { ...answer, at } };
  });
}

function throwAnswered({ answer, endedAt, run, node }: ApprovalRecord): void {
  const question = `The approval request of step ${node.name} of run ${run.name}/${run.dagRunId}`;
  if (answer !== undefined)
    throw new AppError(
      'conflict',
      `${question} was already answered: ${answer.decision} ${formatActor(answer.by)} at ${toIso(answer.at)}.`,
    );
  if (endedAt !== undefined)
    throw new AppError('conflict', `${question} ended at ${toIso(endedAt)} without an answer.`);
}
