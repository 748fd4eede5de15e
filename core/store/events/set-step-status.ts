import { AppError } from '../../base/errors.ts';
import { isFinal, type StepStatus } from '../../model/run/status.ts';
import type { StepEdit } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { readOwnership } from '../runs/changes/ownership.ts';
import { stepStateSql } from './apply-step-event.ts';
import { insertEvent } from './events.ts';
import { findRecordedEnd, restoreEnd } from './step-final-status.ts';

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

type StepKey = readonly [number, 'step', string];

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
