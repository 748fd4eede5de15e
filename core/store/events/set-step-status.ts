import { AppError } from '../../base/errors.ts';
import { isFinal, type StepStatus } from '../../model/run.ts';
import type { RunEvent } from '../../model/run-event.ts';
import type { StepEdit } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { readOwnership } from '../run-ownership.ts';
import { stepStateSql } from './apply-step-event.ts';
import { insertEvent } from './events.ts';

export function setStepStatus(database: Database, edit: StepEdit, at: number): StepStatus {
  const { runKey, step, status, by } = edit;
  return database.write(() => {
    assertRunEnded(database, runKey);
    const stepKey = [runKey, 'step', step] as const;
    const previous = database.get<{ status: StepStatus }>(stepStateSql, ...stepKey)?.status ?? 'not_started';
    if (previous === status) return previous;
    if (status === 'not_started') reset(database, stepKey, at);
    else settleOrRestore(database, stepKey, edit, at);
    // A retry that was planned before relies on the old status.
    database.run('UPDATE run SET epoch = epoch + 1 WHERE key = ?', runKey);
    insertEvent(database, runKey, at, {
      type: 'step.status_set',
      node: { section: 'step', name: step },
      status,
      previous,
      by,
    });
    return previous;
  });
}

function assertRunEnded(database: Database, runKey: number): void {
  const run = readOwnership(database, runKey);
  if (run === undefined) throw new AppError('not_found', 'The run has been deleted.');
  if (isFinal(run.status)) return;
  throw new AppError(
    'still_running',
    `The run is ${run.status}. Wait for it to end or stop it, then set the status of its steps.`,
  );
}

type StepKey = readonly [runKey: number, section: 'step', name: string];

/** Resets like a retry, so that attempt numbers continue. */
const reset = (database: Database, key: StepKey, at: number): void =>
  void database.run(
    /* sql */ `
    UPDATE step SET reset_at = ?, started_at = NULL, finished_at = NULL, exit_code = NULL, signal = NULL,
      error = NULL, output_name = NULL, output_value = NULL
    WHERE run_key = ? AND section = ? AND name = ?`,
    at,
    ...key,
  );

/** Sets the status. A step that gets its own end back also gets its reason; any other manual status has none. */
function settleOrRestore(database: Database, key: StepKey, edit: StepEdit, at: number): void {
  const end = findRecordedEnd(database, key);
  if (end?.event.status === edit.status) restoreEnd(database, key, end);
  else settle(database, key, edit, at);
}

/** Changes the status; the step's logs and outputs stay, but the reason of its end is no longer true. */
const settle = (database: Database, key: StepKey, { status }: StepEdit, at: number): void =>
  void database.run(
    /* sql */ `
    INSERT INTO step (run_key, section, name, status, attempt, finished_at) VALUES (?, ?, ?, ?, 0, ?)
    ON CONFLICT (run_key, section, name) DO UPDATE SET status = excluded.status, error = NULL, reset_at = NULL,
      finished_at = coalesce(step.finished_at, excluded.finished_at)`,
    ...key,
    status,
    at,
  );

/** How a step has ended without a manual change since its run started, or was retried, with it. */
interface StepFinalStatus {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Earlier events belong to an earlier execution of the step. Epoch milliseconds. */
  readonly since: number;
  readonly event: Extract<RunEvent, { readonly type: 'step.finished' | 'step.ended' }>;
}

interface Row {
  readonly type: 'step.finished' | 'step.ended' | 'run.retried';
  readonly at: number;
  readonly data: string;
}

const historySql = /* sql */ `
  SELECT type, at, data FROM event WHERE run_key = ? AND (
    (type IN ('step.finished', 'step.ended') AND json_extract(data, '$.node.section') = ?
      AND json_extract(data, '$.node.name') = ?)
    OR (type = 'run.retried' AND EXISTS (SELECT 1 FROM json_each(json_extract(data, '$.steps')) WHERE value = ?)))
  ORDER BY id DESC`;

/** Returns the newest end of a step; undefined when it has not ended without a manual change since it was reset. */
function findRecordedEnd(database: Database, key: StepKey): StepFinalStatus | undefined {
  const rows = database.all<Row>(historySql, ...key, key[2]);
  const [newest] = rows;
  if (newest === undefined || newest.type === 'run.retried') return undefined;
  const since = rows.find(({ type }) => type === 'run.retried')?.at ?? 0;
  const event = { type: newest.type, ...(JSON.parse(newest.data) as object) } as StepFinalStatus['event'];
  return { at: newest.at, since, event };
}

/** Restores that end in the row of the step, as it was before any manual change. */
function restoreEnd(database: Database, key: StepKey, { at, since, event }: StepFinalStatus): void {
  const { status, exitCode, output } = event;
  database.run(
    /* sql */ `
    UPDATE step SET status = ?, reset_at = NULL, finished_at = ?, exit_code = ?, signal = ?, error = ?,
      output_name = ?, output_value = ?,
      started_at = coalesce(started_at, (SELECT min(started_at) FROM attempt WHERE attempt.run_key = step.run_key
        AND attempt.section = step.section AND attempt.name = step.name AND attempt.started_at >= ?))
    WHERE run_key = ? AND section = ? AND name = ?`,
    status,
    at,
    exitCode ?? null,
    event.type === 'step.finished' ? (event.signal ?? null) : null,
    (event.type === 'step.finished' ? event.error : event.reason) ?? null,
    output?.name ?? null,
    output === undefined ? null : JSON.stringify(output.value),
    since,
    ...key,
  );
}
