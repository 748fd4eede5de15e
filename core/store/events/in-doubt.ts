import type { EventBatch } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

/** Most events of others, such as stop requests, that may have been written in between. */
const maxOtherEvents = 100;

export const newestOfRunSql = 'SELECT at, type, data FROM event WHERE run_key = ? ORDER BY id DESC LIMIT ?';

/**
 * Returns the batch without the events that an earlier commit, whose response was lost, has written. A batch is written
 * as a whole, so its events are in order; events of others may be between them.
 */
export function dropCommitted(database: Database, batch: EventBatch): EventBatch {
  const { runKey, events, inDoubt = 0 } = batch;
  if (inDoubt === 0) return batch;
  const newest = database.all<{ at: number; type: string; data: string }>(
    newestOfRunSql,
    runKey,
    inDoubt + maxOtherEvents,
  );
  let committed = 0;
  for (const { at, type, data } of newest.toReversed()) {
    const next = events[committed];
    if (next === undefined || committed === inDoubt) break;
    const { type: nextType, ...nextData } = next.event;
    if (at === next.at && type === nextType && data === JSON.stringify(nextData)) committed += 1;
  }
  return { ...batch, events: events.slice(committed) };
}
