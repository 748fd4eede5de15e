import type { EventScope, NewEvent, StoredEvent } from '../../webhooks/outbound/ports.ts';
import type { Database } from '../database/database.ts';

/** Largest JSON payload, whatever its format; larger ones are not stored. */
const maxBytes = 25 * 1024 * 1024;

interface EventRow {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: string | null;
  readonly bytes: number;
  readonly occurred_at: number;
  readonly repository: string | null;
  readonly repository_id: number | null;
  readonly organization: string | null;
  readonly enterprise: string | null;
  readonly installation_id: number | null;
  readonly hook_id: number | null;
}

/** Stores an event for delivery. Call it inside the transaction that changes the state it reports. */
export function insertEvent(
  database: Database,
  { guid, event, payload, json = JSON.stringify(payload), encoded, scope }: NewEvent,
  at: number,
): StoredEvent {
  const bytes = encoded?.length ?? Buffer.byteLength(json);
  const isStorable = bytes <= maxBytes;
  const { action } = payload;
  const { key } = database.run(
    /* sql */ `
    INSERT INTO webhook_event (guid, event, action, payload, bytes, occurred_at, repository, repository_id, organization,
      enterprise, installation_id, hook_id, is_new)
    VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    guid,
    event,
    typeof action === 'string' ? action : null,
    isStorable ? database.largeText(json, encoded) : null,
    bytes,
    at,
    scope.repository ?? null,
    scope.repositoryId ?? null,
    scope.organization ?? null,
    scope.enterprise ?? null,
    scope.installationId ?? null,
    scope.hookId ?? null,
  );
  return {
    id: key,
    guid,
    event,
    bytes,
    occurredAt: at,
    scope,
    ...(typeof action === 'string' && { action }),
    ...(isStorable && { payload: json }),
  };
}

export const addEvents = (database: Database, events: readonly NewEvent[], at: number): StoredEvent[] =>
  database.write(
    () => events.map((event) => insertEvent(database, event, at)),
    events.some(({ encoded }) => encoded !== undefined),
  );

export const listNewEvents = (database: Database, limit: number): StoredEvent[] =>
  database
    .all<EventRow>('SELECT * FROM webhook_event WHERE is_new = 1 ORDER BY id LIMIT ?', limit)
    .map(toEvent);

export function findEvent(database: Database, id: number): StoredEvent | undefined {
  const row = database.get<EventRow>('SELECT * FROM webhook_event WHERE id = ?', id);
  return row && toEvent(row);
}

export function findLatestEvent(
  database: Database,
  event: string,
  repository: string,
): StoredEvent | undefined {
  const row = database.get<EventRow>(
    'SELECT * FROM webhook_event WHERE event = ? AND lower(repository) = lower(?) ORDER BY id DESC LIMIT 1',
    event,
    repository,
  );
  return row && toEvent(row);
}

const toEvent = (row: EventRow): StoredEvent => ({
  id: row.id,
  guid: row.guid,
  event: row.event,
  bytes: row.bytes,
  occurredAt: row.occurred_at,
  scope: toScope(row),
  ...(row.action !== null && { action: row.action }),
  ...(row.payload !== null && { payload: row.payload }),
});

const toScope = (row: EventRow): EventScope => ({
  repository: row.repository ?? undefined,
  repositoryId: row.repository_id ?? undefined,
  organization: row.organization ?? undefined,
  enterprise: row.enterprise ?? undefined,
  installationId: row.installation_id ?? undefined,
  hookId: row.hook_id ?? undefined,
});
