import type { RecordedEvent, RunEvent } from '../../model/run-event.ts';
import type { RunRef } from '../../model/run.ts';
import type { EventCursor } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { saveRunNotification } from '../notifications/notify-event.ts';
import { saveRunEvent } from '../webhooks/events.ts';

interface EventRow {
  readonly id: number;
  readonly at: number;
  readonly type: string;
  readonly data: string;
  readonly dag: string;
  readonly run_id: string;
}

const selectEvent = /* sql */ `
  SELECT event.id, event.at, event.type, event.data, run.dag, run.run_id
  FROM event CROSS JOIN run ON run.key = event.run_key`;

// The casts do not change values: SQLite plans again for each value of a bare LIMIT, which takes longer than to read
// some events.
export const listAllSql = `${selectEvent} WHERE event.id > ? ORDER BY event.id LIMIT CAST(? AS bigint)`;
export const listRunEventsSql = `${selectEvent} WHERE event.run_key = (SELECT key FROM run WHERE dag = ? AND run_id = ?) AND event.id > ? ORDER BY event.id LIMIT CAST(? AS bigint)`;
export const lastIdSql = 'SELECT max(id) AS id FROM event';

/** An event, and when it occurred in epoch milliseconds. */
export interface TimedEvent {
  readonly at: number;
  readonly event: RunEvent;
}

/** Most events of one statement: the database prepares a statement for each number of them. */
const maxTogether = 16;

/**
 * Adds an event to the log, and to the outboxes of webhooks and notifications. Only inside the transaction that changes the state it
 * reports.
 */
export function insertEvent(database: Database, runKey: number, at: number, event: RunEvent): void {
  reportEvent(database, runKey, { at, event });
  logEvents(database, runKey, [{ at, event }]);
}

/** Adds an event to the outboxes; `logEvents` must follow in the same transaction. */
export function reportEvent(database: Database, runKey: number, { at, event }: TimedEvent): void {
  // Before the locks of the outboxes, so that no two transactions wait for each other.
  lockEvents(database);
  saveRunEvent(database, runKey, at, event);
  saveRunNotification(database, runKey, at, event);
}

/** Adds events of a run to the log. */
export function logEvents(database: Database, runKey: number, events: readonly TimedEvent[]): void {
  lockEvents(database);
  for (let from = 0; from < events.length; from += maxTogether) {
    const rows = events.slice(from, from + maxTogether).map(({ at, event: { type, ...data } }) => {
      return [runKey, at, type, JSON.stringify(data)];
    });
    const places = rows.map(() => '(?, ?, ?, ?)').join(', ');
    database.run(`INSERT INTO event (run_key, at, type, data) VALUES ${places}`, ...rows.flat());
  }
}

/** Ids rise in the order of commits: a reader that continues after an id must not miss an event. */
const lockEvents = (database: Database): void => database.lock('events');

/** Reads all events after an id, including those of this transaction. */
export function deferEvents(
  database: Database,
  { afterId, limit }: EventCursor,
): () => readonly RecordedEvent[] {
  const rows = database.defer<EventRow>(listAllSql, afterId, limit);
  return () => rows().map(toRecordedEvent);
}

export async function listEvents(
  database: Database,
  afterId: number,
  limit: number,
  run?: RunRef,
): Promise<RecordedEvent[]> {
  const rows = await (run === undefined
    ? database.perform(() => database.all<EventRow>(listAllSql, afterId, limit))
    : database.perform(() =>
        database.all<EventRow>(listRunEventsSql, run.name, run.dagRunId, afterId, limit),
      ));
  return rows.map(toRecordedEvent);
}

/** Returns the id of the newest event, 0 when there is none. */
export const readLastEventId = (database: Database): number =>
  database.get<{ id: number | null }>(lastIdSql)?.id ?? 0;

export function deferLastEventId(database: Database): () => number {
  const rows = database.defer<{ id: number | null }>(lastIdSql);
  return () => rows()[0]?.id ?? 0;
}

const toRecordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  dag: row.dag,
  dagRunId: row.run_id,
  at: row.at,
  event: { type: row.type, ...(JSON.parse(row.data) as object) } as RunEvent,
});

/** Thrown inside the savepoint of a batch to roll it back; becomes the batch's outcome. */
export class BatchRejected extends Error {
  readonly outcome: 'stale' | 'illegal';

  constructor(outcome: 'stale' | 'illegal', reason: string) {
    super(reason);
    this.outcome = outcome;
  }
}

/** Creates the error for an event that the state does not allow. */
export const illegalEventError = (reason: string): BatchRejected => new BatchRejected('illegal', reason);
