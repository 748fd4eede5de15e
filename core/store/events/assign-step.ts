import type { NodeId, RunEvent } from '../../model/run/run-event.ts';
import type { Database } from '../database/database.ts';

/** Run key, section, name and number of an attempt. */
type AttemptKey = readonly [runKey: number, section: NodeId['section'], name: string, attempt: number];

const ofAttempt = 'run_key = ? AND section = ? AND name = ? AND attempt = ?';

export const recordWaitingSql = `UPDATE attempt SET waiting = ? WHERE ${ofAttempt}`;
/** An attempt with items keeps its first worker. */
export const assignStepSql = /* sql */ `
  UPDATE attempt SET waiting = NULL, worker = coalesce(worker, ?), worker_host = coalesce(worker_host, ?),
    handed_at = coalesce(handed_at, ?) WHERE ${ofAttempt}`;
export const handItemOverSql = /* sql */ `
  UPDATE step_item SET worker = ?, worker_host = ?, handed_at = ? WHERE ${ofAttempt} AND item = ?`;

/** Stores why an attempt, or one of its items, waits for a worker. */
export function recordWaiting(database: Database, key: AttemptKey, reason: string): void {
  database.run(recordWaitingSql, reason, ...key);
}

/** Stores which worker has an attempt, or one of its items, from now on. */
export function assignStep(
  database: Database,
  key: AttemptKey,
  at: number,
  { worker, host, item }: Extract<RunEvent, { type: 'step.dispatched' }>,
): void {
  database.run(assignStepSql, worker, host, at, ...key);
  if (item !== undefined) database.run(handItemOverSql, worker, host, at, ...key, item);
}
