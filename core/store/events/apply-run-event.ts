import { type RunEvent, runTransitions } from '../../model/run-event.ts';
import { isFinal, type RunStatus } from '../../model/run.ts';
import type { Database } from '../database/database.ts';
import { recordStopRequest } from '../hosts.ts';
import { illegalEventError } from './events.ts';
import { closeRunItems } from './step-items.ts';

type StateEvent = Extract<RunEvent, { type: keyof typeof runTransitions }>;
type FinishedEvent = Extract<RunEvent, { type: 'run.finished' }>;

/** Changes the run's row according to the event; returns its new status. Throws `BatchRefused`. */
export function applyRunEvent(
  database: Database,
  run: { readonly runKey: number; readonly status: RunStatus },
  at: number,
  event: StateEvent,
): RunStatus {
  const allowed: readonly RunStatus[] = runTransitions[event.type];
  if (!allowed.includes(run.status))
    throw illegalEventError(`the run is ${run.status}, which does not allow ${event.type}`);
  switch (event.type) {
    case 'run.created':
      return run.status;
    case 'run.retried':
      resetRun(database, run, at, event.steps);
      return 'not_started';
    case 'run.started':
      start(database, run, at, event.logDir);
      return 'running';
    case 'run.stop_requested':
      recordStopRequest(database, run.runKey, event.by);
      return run.status;
    case 'run.finished':
      finish(database, run, at, event);
      return event.status;
  }
}

/** Starts a run. A run that changes its owner is started again, but keeps its first start time. */
function start(
  database: Database,
  run: { runKey: number; status: RunStatus },
  at: number,
  logDir: string,
): void {
  database.runOne(
    () => illegalEventError(`the run is no longer ${run.status}`),
    /* sql */ `
    UPDATE run SET status = 'running', started_at = coalesce(started_at, ?), log_dir = ?, error = NULL
    WHERE key = ? AND status = ?`,
    at,
    logDir,
    run.runKey,
    run.status,
  );
  if (run.status === 'queued') leaveQueue(database, run.runKey);
}

/** Its place in the queue is free as soon as a run is active or has ended. */
const leaveQueue = (database: Database, runKey: number): void =>
  void database.run('DELETE FROM queue_item WHERE run_key = ?', runKey);

function finish(
  database: Database,
  run: { runKey: number; status: RunStatus },
  at: number,
  event: FinishedEvent,
): void {
  if (!isFinal(event.status)) throw illegalEventError(`a run cannot finish as ${event.status}`);
  database.runOne(
    () => illegalEventError(`the run is no longer ${run.status}`),
    /* sql */ `
    UPDATE run SET status = ?, finished_at = ?, error = ?, cause = ?, outputs = ?, peak_cpu = ?, peak_memory = ?,
      owner_host = NULL, owner_pid = NULL, owner_pid_start = NULL, owner_boot_id = NULL, owner_key = NULL
    WHERE key = ? AND status = ?`,
    event.status,
    at,
    event.error ?? null,
    event.cause ?? null,
    JSON.stringify(event.outputs),
    event.peakUsage?.cpu ?? null,
    event.peakUsage?.memory ?? null,
    run.runKey,
    run.status,
  );
  if (run.status === 'queued') leaveQueue(database, run.runKey);
}

/**
 * Resets a run to before its start, with the named steps and all handlers. Their attempts, attempt numbers and sub-runs
 * stay, and so do the run's first start and its log directory. Throws `BatchRefused`.
 */
function resetRun(
  database: Database,
  run: { readonly runKey: number; readonly status: RunStatus },
  at: number,
  steps: readonly string[],
): void {
  database.runOne(
    () => illegalEventError(`the run is no longer ${run.status}`),
    /* sql */ `
    UPDATE run SET status = 'not_started', finished_at = NULL, error = NULL, cause = NULL, outputs = '{}',
      stop_requested_by = NULL, peak_cpu = NULL, peak_memory = NULL,
      queue = CASE is_sub WHEN 0 THEN coalesce(queue, dag) END
    WHERE key = ? AND status = ?`,
    run.runKey,
    run.status,
  );
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
  closeRunItems(database, runKey, at, error);
}
