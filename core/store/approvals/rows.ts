import type { ApprovalRecord, Decision } from '../../model/run/approval.ts';
import type { NodeId } from '../../model/run/run-event.ts';

/** A row of the table `approval`, joined with other tables. */
export interface ApprovalRow {
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
export const selectApproval = /* sql */ `
  SELECT approval.*, run.dag, run.run_id, root.dag AS root_dag, root.run_id AS root_id,
    coalesce(tried.finished_at, run.finished_at) AS ended_at
  ${fromApprovals}
    LEFT JOIN run root ON root.key = run.root_key`;

/** Unanswered questions whose attempt is still running. */
export const openCondition =
  'approval.decision IS NULL AND tried.finished_at IS NULL AND run.finished_at IS NULL';

/** Only the ids of open questions, because the full questions may be long. */
export const openIdsSql = /* sql */ `SELECT approval.id ${fromApprovals} WHERE ${openCondition} ORDER BY approval.id`;

/** Converts a row to a question. */
export function toApprovalRecord(row: ApprovalRow): ApprovalRecord {
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
