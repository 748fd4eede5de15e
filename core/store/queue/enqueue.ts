import { AppError } from '../../base/errors.ts';
import { describeWait, type Wait } from '../../model/queue.ts';
import { formatActor } from '../../model/run/actor.ts';
import type { Waiting } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { explainItem, itemSql, type ItemRow } from './wait.ts';

interface StateRow {
  readonly state: string;
  readonly changed_by: string;
}

export const queueStateSql = 'SELECT state, changed_by FROM queue WHERE name = ?';

/** @throws `queue_closed` for a draining queue. Only inside the transaction that adds the run. */
export function assertNotDraining(database: Database, queue: string): void {
  const row = database.get<StateRow>(queueStateSql, queue);
  if (row?.state !== 'draining') return;
  throw new AppError(
    'queue_closed',
    `Queue ${queue} accepts no new runs: drained ${formatActor(row.changed_by)}. Resume the queue, or use another queue.`,
  );
}

/**
 * Adds a new run to its queue and stores why it waits at this moment. Only inside the transaction that adds the run.
 */
export function enqueue(
  database: Database,
  runKey: number,
  waiting: Waiting & { readonly queue: string },
  at: number,
): Wait {
  database.run(
    /* sql */ `
    INSERT INTO queue_item (run_key, queue, priority, enqueued_at, max_active_runs) VALUES (?, ?, ?, ?, ?)`,
    runKey,
    waiting.queue,
    waiting.priority,
    at,
    waiting.maxActiveRuns,
  );
  const item = database.get<ItemRow>(itemSql, runKey)!;
  const wait = explainItem(database, item, () => waiting.queueLimit);
  database.run('UPDATE run SET error = ? WHERE key = ?', describeWait(wait), runKey);
  return wait;
}
