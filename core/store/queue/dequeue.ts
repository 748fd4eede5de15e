import { AppError } from '../../base/errors.ts';
import { exactRunNotFoundError } from '../../base/missing-run.ts';
import { formatActor } from '../../model/run/actor.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { RunStatus } from '../../model/run/status.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { recordStopRequest } from '../runs/changes/record-stop-request.ts';
import { endQueuedRun } from './claims.ts';

export const waitingRunSql = /* sql */ `
  SELECT run.key, run.status, queue_item.queue, queue_item.claimed_at
  FROM run LEFT JOIN queue_item ON queue_item.run_key = run.key WHERE run.dag = ? AND run.run_id = ?`;
export const oldestItemSql = /* sql */ `
  SELECT queue_item.run_key AS key, run.dag, run.run_id
  FROM queue_item CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NULL AND queue_item.queue = ? ORDER BY queue_item.key LIMIT 1`;

interface WaitingRow {
  readonly key: number;
  readonly status: RunStatus;
  readonly queue: string | null;
  readonly claimed_at: number | null;
}

export function dequeue(database: Database, run: RunRef, by: string, at: number): void {
  database.write(() => {
    const row = database.get<WaitingRow>(waitingRunSql, run.name, run.dagRunId);
    if (row === undefined) throw exactRunNotFoundError(run);
    if (row.queue === null || row.claimed_at !== null) {
      const stateText = row.queue === null ? row.status : 'about to start';
      throw new AppError(
        'not_queued',
        `Run ${run.dagRunId} of ${run.name} is ${stateText} and not queued. Stop it if it is active.`,
      );
    }
    takeOut(database, row.key, by, at);
  });
}

export function dequeueOldest(database: Database, queue: string, by: string, at: number): RunRef | undefined {
  return database.write(() => {
    const row = database.get<{ key: number; dag: string; run_id: string }>(oldestItemSql, queue);
    if (row === undefined) return undefined;
    takeOut(database, row.key, by, at);
    return { name: row.dag, dagRunId: row.run_id };
  });
}

/** Ends a waiting run as aborted. It has not started, so no handlers run. Only inside a write transaction. */
export function takeOut(database: Database, runKey: number, by: string, at: number): void {
  if (recordStopRequest(database, runKey, by))
    insertEvent(database, runKey, at, { type: 'run.stop_requested', by });
  const error = `dequeued ${formatActor(by)}`;
  endQueuedRun(database, runKey, { status: 'aborted', cause: 'stopped', error }, at);
}
