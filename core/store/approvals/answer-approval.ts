import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Answer, ApprovalRecord } from '../../model/run/approval.ts';
import { describeDoer } from '../../model/run/doer.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { selectApproval, toApprovalRecord, type ApprovalRow } from './rows.ts';

const findSql = `${selectApproval} WHERE approval.id = ?`;

/** `ApprovalStore.find`. */
export function findApproval(database: Database, id: string): ApprovalRecord | undefined {
  const row = database.get<ApprovalRow>(findSql, id);
  return row && toApprovalRecord(row);
}

/** `ApprovalStore.answer`. */
export function answerApproval(database: Database, id: string, answer: Answer, at: number): ApprovalRecord {
  return database.write(() => {
    const row = database.get<ApprovalRow>(findSql, id);
    if (row === undefined) throw new AppError('not_found', `There is no question with the id ${id}.`);
    const asked = toApprovalRecord(row);
    refuseAnswered(asked);
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
    const { node, attempt } = asked;
    insertEvent(database, row.run_key, at, { type: 'step.approval_resolved', node, attempt, id, ...answer });
    return { ...asked, answer: { ...answer, at } };
  });
}

function refuseAnswered({ answer, endedAt, run, node }: ApprovalRecord): void {
  const question = `The question of the step ${node.name} of the run ${run.name}/${run.dagRunId}`;
  if (answer !== undefined)
    throw new AppError(
      'conflict',
      `${question} has been answered already: ${answer.decision} ${describeDoer(answer.by)} at ${toIso(answer.at)}.`,
    );
  if (endedAt !== undefined)
    throw new AppError(
      'conflict',
      `${question} ended at ${toIso(endedAt)} without an answer: its step does not wait any more.`,
    );
}
