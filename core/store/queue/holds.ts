import { describeWait, type StoredReason, type StoredWait } from '../../model/queue.ts';
import { formatActor } from '../../model/run/actor.ts';
import type { QueueLimitLookup } from '../../queue/ports.ts';
import type { Database } from '../database/database.ts';
import { explainItem, itemSql, listActive, type ItemRow } from './wait.ts';

export const holdSql = 'SELECT reason, at FROM queue_hold WHERE queue = ?';
export const storedErrorSql = 'SELECT error FROM run WHERE key = ?';
const queueStateSql = 'SELECT state, changed_by, changed_at FROM queue WHERE name = ?';

/** Describes a full queue in one sentence. */
export function describeFullQueue(database: Database, queue: string, running: number, limit: number): string {
  const behind = listActive(database, queue);
  return describeWait({
    kind: 'full',
    ...{ queue, running, limit, behind },
    ...{ priority: 0, enqueuedAt: 0, ahead: 0 },
  });
}

/** Whether this reason is already stored for a queue; undefined: nothing blocks it. */
export const isStored = (database: Database, queue: string, reason: string | undefined): boolean =>
  database.get<StoredReason>(holdSql, queue)?.reason === reason;

/** Stores what blocks the next run of a queue, if anything. Only inside a write transaction. */
export function saveHold(database: Database, queue: string, reason: string | undefined, at: number): void {
  if (isStored(database, queue, reason)) return;
  if (reason === undefined) database.run('DELETE FROM queue_hold WHERE queue = ?', queue);
  else {
    database.run(
      /* sql */ `
      INSERT INTO queue_hold (queue, reason, at) VALUES (?, ?, ?)
      ON CONFLICT (queue) DO UPDATE SET reason = excluded.reason, at = excluded.at`,
      queue,
      reason,
      at,
    );
  }
}

/** Returns the stored reason of the whole queue: who has paused it, or what blocks its next run. */
export function readHold(database: Database, queue: string): StoredReason | undefined {
  type StateRow = { state: string; changed_by: string; changed_at: number };
  const state = database.get<StateRow>(queueStateSql, queue);
  if (state?.state !== 'paused') return database.get<StoredReason>(holdSql, queue);
  return { reason: `queue ${queue} is paused ${formatActor(state.changed_by)}`, at: state.changed_at };
}

export function findWait(
  database: Database,
  runKey: number,
  limitOf: QueueLimitLookup,
): StoredWait | undefined {
  const item = database.get<ItemRow>(itemSql, runKey);
  if (item === undefined) return undefined;
  const wait = explainItem(database, item, limitOf);
  return { ...wait, kept: readStoredReason(database, item, wait.kind === 'paused') };
}

/** Returns the newest reason stored for a waiting run: of its queue, or from the moment it was queued. */
function readStoredReason(database: Database, item: ItemRow, isPaused: boolean): StoredReason {
  const hold = readHold(database, item.queue);
  if (hold !== undefined && isPaused) return hold;
  if (hold !== undefined && hold.at >= item.enqueued_at) return hold;
  const first = database.get<{ error: string | null }>(storedErrorSql, item.run_key);
  return { reason: first?.error ?? '', at: item.enqueued_at };
}
