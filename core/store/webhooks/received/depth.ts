import type { RunRef } from '../../../model/run/run.ts';
import type { Database } from '../../database/database.ts';

interface DepthRow {
  readonly depth: number;
}

export const depthOfEvent = (database: Database, guid: string): number | undefined =>
  database.get<DepthRow>('SELECT depth FROM webhook_event WHERE guid = ?', guid)?.depth;

/**
 * Stores with an event of a run how many webhook-triggered runs precede it, so that a chain of them ends. Call it
 * inside the transaction that adds the event.
 */
export function recordDepth(database: Database, eventId: number, { name, dagRunId }: RunRef): void {
  const cause = database.get<DepthRow>(
    /* sql */ `
    SELECT webhook_received.depth FROM webhook_start
    JOIN webhook_received ON webhook_received.key = webhook_start.received_key
    WHERE webhook_start.run_id = ? AND webhook_start.run_name = ?`,
    dagRunId,
    name,
  );
  if (cause === undefined) return;
  database.run('UPDATE webhook_event SET depth = ? WHERE id = ?', cause.depth + 1, eventId);
}
