import type { EventBatch } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

/** Events of others, such as wishes to stop the run, that may have come between. */
const foreignEvents = 100;

export const newestOfRunSql = 'SELECT at, type, data FROM event WHERE run_key = ? ORDER BY id DESC LIMIT ?';

/**
 * The batch without what an earlier commit of it, whose answer was lost, has written. A batch is written as a whole, so
 * its events lie in their order; those of others may lie between them.
 */
export function withoutWritten(database: Database, batch: EventBatch): EventBatch {
  const { runKey, events, inDoubt = 0 } = batch;
  if (inDoubt === 0) return batch;
  const newest = database.all<{ at: number; type: string; data: string }>(
    newestOfRunSql,
    runKey,
    inDoubt + foreignEvents,
  );
  let written = 0;
  for (const { at, type, data } of newest.toReversed()) {
    const next = events[written];
    if (next === undefined || written === inDoubt) break;
    const { type: nextType, ...nextData } = next.event;
    if (at === next.at && type === nextType && data === JSON.stringify(nextData)) written += 1;
  }
  return { ...batch, events: events.slice(written) };
}
