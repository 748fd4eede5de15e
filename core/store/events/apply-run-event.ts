import type { RunEvent } from '../../model/run/run-event.ts';
import { isFinal, type RunStatus } from '../../model/run/status.ts';
import { runTransitions } from '../../model/run/transitions.ts';
import { illegalEvent } from './batch-refused.ts';
import type { Database } from '../database/database.ts';
import { recordStopRequest } from '../runs/changes/record-stop-request.ts';
import { resetRun } from './reset-run.ts';

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
    throw illegalEvent(`the run is ${run.status}, which does not allow ${event.type}`);
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
  const { changes } = database.run(
    /* sql */ `
    UPDATE run SET status = 'running', started_at = coalesce(started_at, ?), log_dir = ?, error = NULL
    WHERE key = ? AND status = ?`,
    at,
    logDir,
    run.runKey,
    run.status,
  );
  if (changes !== 1) throw illegalEvent(`the run is no longer ${run.status}`);
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
  if (!isFinal(event.status)) throw illegalEvent(`a run cannot finish as ${event.status}`);
  const { changes } = database.run(
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
  if (changes !== 1) throw illegalEvent(`the run is no longer ${run.status}`);
  if (run.status === 'queued') leaveQueue(database, run.runKey);
}
