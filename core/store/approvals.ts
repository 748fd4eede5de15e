import type { ApprovalRecord, Decision, Answer } from '../model/approval.ts';
import { type NodeId, formatActor, type RunEvent } from '../model/run-event.ts';
import { toIso } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { ApprovalStore, ApprovalFilter, ApprovalPage } from './types/runs.ts';
import type { Database, SqlValue } from './database/database.ts';
import type { Operations } from './open-store.ts';
import { insertEvent } from './events/events.ts';

/** Creates the approval store on an open connection. */
export const createApprovalStore = (database: Database): Operations<ApprovalStore> => ({
  list: (filter) => listApprovals(database, filter),
  find: (id) => findApproval(database, id),
  findForAttempt: (runKey, node, attempt) => findAttemptApproval(database, runKey, node, attempt),
  answer: (id, answer, at) => answerApproval(database, id, answer, at),
  mark: () => readApprovalMark(database),
});

function listApprovals(
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
function findAttemptApproval(
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

/** Reads all questions of a run with the next statement, those of later attempts after those of earlier ones. */
export function deferRunApprovals(database: Database, runKey: number): () => ApprovalRecord[] {
  const sql = `${selectApproval} WHERE approval.run_key = ? ORDER BY approval.attempt`;
  const rows = database.defer<ApprovalRow>(sql, runKey);
  return () => rows().map(toApprovalRecord);
}

function readApprovalMark(database: Database): string {
  const newestId = database.get<{ id: string | null }>('SELECT max(id) AS id FROM approval')?.id ?? '';
  return [newestId, ...database.all<{ id: string }>(openIdsSql).map(({ id }) => id)].join(' ');
}

/** A row of the table `approval`, joined with other tables. */
interface ApprovalRow {
  readonly id: string;
  readonly run_key: number;
  readonly section: NodeId['section'];
  readonly name: string;
  readonly attempt: number;
  readonly question: string;
  readonly details: string | null;
  /** JSON, like `required` and `given`. */
  readonly inputs: string;
  readonly required: string;
  readonly asked_at: number;
  readonly answered_at: number | null;
  readonly decision: Decision | null;
  readonly answered_by: string | null;
  readonly comment: string | null;
  readonly given: string | null;
  readonly dag: string;
  readonly run_id: string;
  readonly root_dag: string | null;
  readonly root_id: string | null;
  /** When the attempt, or the run, ended. */
  readonly ended_at: number | null;
}

/** Questions with their attempts and runs. */
const fromApprovals = /* sql */ `
  FROM approval
    JOIN attempt tried ON tried.run_key = approval.run_key AND tried.section = approval.section
      AND tried.name = approval.name AND tried.attempt = approval.attempt
    JOIN run ON run.key = approval.run_key`;

/** Starts a query of `ApprovalRow`s; needs a WHERE clause. */
const selectApproval = /* sql */ `
  SELECT approval.*, run.dag, run.run_id, root.dag AS root_dag, root.run_id AS root_id,
    coalesce(tried.finished_at, run.finished_at) AS ended_at
  ${fromApprovals}
    LEFT JOIN run root ON root.key = run.root_key`;

/** Unanswered questions whose attempt is still running. */
const openCondition = 'approval.decision IS NULL AND tried.finished_at IS NULL AND run.finished_at IS NULL';

/** Only the ids of open questions, because the full questions may be long. */
const openIdsSql = /* sql */ `SELECT approval.id ${fromApprovals} WHERE ${openCondition} ORDER BY approval.id`;

/** Converts a row to a question. */
function toApprovalRecord(row: ApprovalRow): ApprovalRecord {
  const { decision, answered_at: at, answered_by: by } = row;
  const isAnswered = decision !== null && at !== null && by !== null;
  return {
    id: row.id,
    run: { name: row.dag, dagRunId: row.run_id },
    root:
      row.root_dag === null || row.root_id === null
        ? undefined
        : { name: row.root_dag, dagRunId: row.root_id },
    node: { section: row.section, name: row.name },
    attempt: row.attempt,
    question: row.question,
    details: row.details ?? undefined,
    inputs: JSON.parse(row.inputs) as string[],
    required: JSON.parse(row.required) as string[],
    askedAt: row.asked_at,
    answer: isAnswered
      ? {
          decision,
          by,
          comment: row.comment ?? undefined,
          values: JSON.parse(row.given ?? '{}') as Record<string, string>,
          at,
        }
      : undefined,
    endedAt: isAnswered ? undefined : (row.ended_at ?? undefined),
  };
}

const findSql = `${selectApproval} WHERE approval.id = ?`;

function findApproval(database: Database, id: string): ApprovalRecord | undefined {
  const row = database.get<ApprovalRow>(findSql, id);
  return row && toApprovalRecord(row);
}

function answerApproval(database: Database, id: string, answer: Answer, at: number): ApprovalRecord {
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

/** Stores the question of an attempt. Call it inside the transaction that records the question. */
export function saveQuestion(
  database: Database,
  runKey: number,
  at: number,
  {
    id,
    node,
    attempt,
    question,
    details,
    inputs,
    required,
  }: Extract<RunEvent, { type: 'step.approval_requested' }>,
): void {
  database.run(
    /* sql */ `
    INSERT INTO approval (id, run_key, section, name, attempt, question, details, inputs, required, asked_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    runKey,
    node.section,
    node.name,
    attempt,
    question,
    details ?? null,
    JSON.stringify(inputs),
    JSON.stringify(required),
    at,
  );
}
