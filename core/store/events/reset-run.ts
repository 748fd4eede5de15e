import type { RunStatus } from '../../model/run/status.ts';
import { illegalEvent } from './batch-refused.ts';
import type { Database } from '../database/database.ts';
import { closeItemsOfRun } from './step-items.ts';

/**
 * Resets a run to before its start, with the named steps and all handlers. Their attempts, attempt numbers and sub-runs
 * stay, and so do the run's first start and its log directory. Throws `BatchRefused`.
 */
export function resetRun(
  database: Database,
  run: { readonly runKey: number; readonly status: RunStatus },
  at: number,
  steps: readonly string[],
): void {
  const { changes } = database.run(
    /* sql */ `
    UPDATE run SET status = 'not_started', finished_at = NULL, error = NULL, cause = NULL, outputs = '{}',
      stop_requested_by = NULL, peak_cpu = NULL, peak_memory = NULL,
      queue = CASE is_sub WHEN 0 THEN coalesce(queue, dag) END
    WHERE key = ? AND status = ?`,
    run.runKey,
    run.status,
  );
  if (changes !== 1) throw illegalEvent(`the run is no longer ${run.status}`);
  closeAttempts(database, run.runKey, at);
  const names = JSON.stringify(steps);
  database.run(
    /* sql */ `
    UPDATE step SET reset_at = ?, started_at = NULL, finished_at = NULL, exit_code = NULL, signal = NULL,
      error = NULL, output_name = NULL, output_value = NULL
    WHERE run_key = ? AND (section = 'handler' OR name IN (SELECT value FROM json_each(?)))`,
    at,
    run.runKey,
    names,
  );
}

/**
 * Ends open attempts. An ended run has no running attempt; an attempt without a recorded end must not keep its step
 * from starting.
 */
function closeAttempts(database: Database, runKey: number, at: number): void {
  const error = 'the end was not recorded';
  database.run(
    'UPDATE attempt SET finished_at = ?, error = ? WHERE run_key = ? AND finished_at IS NULL',
    at,
    error,
    runKey,
  );
  closeItemsOfRun(database, runKey, at, error);
}
