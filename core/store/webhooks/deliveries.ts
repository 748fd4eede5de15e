import type {
  AttemptRecord,
  Delivery,
  ListPage,
  Message,
  SentMessage,
  DeliveryClaim,
  DeliveryResult,
} from '../types/webhooks.ts';
import { type Database, type SqlValue, placeholdersFor } from '../database/database.ts';
import { setHealth } from './webhooks.ts';
import { claim } from './messages.ts';

/** A row of `webhook_delivery`. */
interface AttemptRow {
  readonly id: number;
  readonly message_id: number;
  readonly hook_id: number;
  readonly delivered_at: number;
  readonly duration_ms: number;
  readonly delivered: number;
  readonly status: string;
  readonly status_code: number | null;
  readonly url: string;
  readonly request_headers: string;
  readonly response_headers: string | null;
  readonly response_body: string | null;
  readonly response_cut: number;
}

interface DeliveryRow extends AttemptRow {
  readonly event_id: number;
  readonly redelivery: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly repository_id: number | null;
  readonly installation_id: number | null;
}

export const exchange = (
  database: Database,
  { sent, health }: DeliveryResult,
  claimRequest: DeliveryClaim,
): Message[] =>
  database.write(() => {
    for (const delivery of sent) if (setEnd(database, delivery)) saveAttempts(database, delivery);
    for (const [hookId, state] of health) setHealth(database, hookId, state);
    return claim(database, claimRequest);
  });

/**
 * Records the end of a message; returns whether the message still exists. A delivery is recorded even if another host
 * has the lease now.
 */
function setEnd(database: Database, { message, epoch, end }: SentMessage): boolean {
  const dueAt = end.state === 'waiting' ? end.dueAt : undefined;
  const reason = end.state === 'dead' ? end.reason : null;
  const condition =
    end.state === 'delivered' ? "state <> 'delivered' AND ? > 0" : "state = 'sending' AND epoch = ?";
  database.run(
    `UPDATE webhook_message SET state = ?, attempts = attempts + 1, due_at = coalesce(?, due_at), reason = ?, epoch = NULL WHERE id = ? AND ${condition}`,
    end.state,
    dueAt ?? null,
    reason,
    message.id,
    epoch,
  );
  return database.get('SELECT 1 AS found FROM webhook_message WHERE id = ?', message.id) !== undefined;
}

function saveAttempts(database: Database, { message, attempts }: SentMessage): void {
  for (const attempt of attempts)
    database.run(
      /* sql */ `
      INSERT INTO webhook_delivery (message_id, hook_id, delivered_at, duration_ms, delivered, status, status_code, url,
        request_headers, response_headers, response_body, response_cut)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      message.id,
      message.hookId,
      attempt.at,
      Math.round(attempt.durationMs),
      attempt.delivered ? 1 : 0,
      attempt.status,
      attempt.statusCode ?? null,
      attempt.url,
      JSON.stringify(attempt.requestHeaders),
      attempt.response === undefined ? null : JSON.stringify(attempt.response.headers),
      attempt.response?.body ?? null,
      attempt.response?.cut ? 1 : 0,
    );
}

const selectSql = /* sql */ `
  SELECT delivery.*, message.event_id, message.redelivery, event.guid, event.event, event.action, event.repository_id,
    event.installation_id
  FROM webhook_delivery AS delivery JOIN webhook_message AS message ON message.id = delivery.message_id
    JOIN webhook_event AS event ON event.id = message.event_id`;

export function findDelivery(database: Database, hookId: number, id: number): Delivery | undefined {
  const row = database.get<DeliveryRow>(
    `${selectSql} WHERE delivery.id = ? AND delivery.hook_id = ?`,
    id,
    hookId,
  );
  return row && toDelivery(row);
}

export function listDeliveries(
  database: Database,
  filter: { readonly hookId: number; readonly outcome?: 'success' | 'failure' | undefined } & ListPage,
): Delivery[] {
  const { hookId, outcome, beforeId = Number.MAX_SAFE_INTEGER, limit } = filter;
  const values: SqlValue[] = [hookId, beforeId];
  if (outcome !== undefined) values.push(outcome === 'success' ? 1 : 0);
  return database
    .all<DeliveryRow>(
      `${selectSql} WHERE delivery.hook_id = ? AND delivery.id < ?${outcome === undefined ? '' : ' AND delivery.delivered = ?'} ORDER BY delivery.id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(toDelivery);
}

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  hookId: row.hook_id,
  messageId: row.message_id,
  eventId: row.event_id,
  guid: row.guid,
  event: row.event,
  redelivery: row.redelivery === 1,
  ...(row.action !== null && { action: row.action }),
  ...(row.repository_id !== null && { repositoryId: row.repository_id }),
  ...(row.installation_id !== null && { installationId: row.installation_id }),
  ...toAttempt(row),
});

/** Returns the last attempt of each message. */
export function listLastAttempts(
  database: Database,
  messageIds: readonly number[],
): ReadonlyMap<number, AttemptRecord> {
  const rows = database.all<AttemptRow>(
    `SELECT * FROM webhook_delivery WHERE message_id IN (${placeholdersFor(messageIds)}) ORDER BY id`,
    ...messageIds,
  );
  return new Map(rows.map((row) => [row.message_id, toAttempt(row)]));
}

const toAttempt = (row: AttemptRow): AttemptRecord => ({
  at: row.delivered_at,
  durationMs: row.duration_ms,
  delivered: row.delivered === 1,
  status: row.status,
  url: row.url,
  requestHeaders: JSON.parse(row.request_headers) as Record<string, string>,
  ...(row.status_code !== null && { statusCode: row.status_code }),
  ...(row.response_headers !== null && {
    response: {
      headers: JSON.parse(row.response_headers) as Record<string, string>,
      body: row.response_body ?? '',
      cut: row.response_cut === 1,
    },
  }),
});

/**
 * Implements `WebhookStore.purge`. Messages and deliveries are removed with their event, a deleted hook when it has
 * nothing left.
 */
export const purgeWebhooks = (database: Database, before: number, max: number): boolean =>
  database.write(() => {
    const { changes } = database.run(
      /* sql */ `
      DELETE FROM webhook_event WHERE id IN (
        SELECT id FROM webhook_event WHERE occurred_at < ? ORDER BY occurred_at LIMIT ?)
        AND NOT EXISTS (SELECT 1 FROM webhook_message WHERE event_id = webhook_event.id AND created_at >= ?)`,
      before,
      max,
      before,
    );
    database.run('DELETE FROM notification_event WHERE at < ? AND is_new = 0', before);
    database.run(
      /* sql */ `
      DELETE FROM webhook_hook WHERE deleted_at < ? AND NOT EXISTS (
        SELECT 1 FROM webhook_message WHERE hook_id = webhook_hook.id AND state IN ('waiting', 'sending'))`,
      before,
    );
    return changes > 0;
  });
