import type { MessageState } from '../../contract/webhook-views.ts';
import type {
  DueWebhook,
  ListedMessage,
  Message,
  NewMessage,
  ReplayRequest,
  DeliveryClaim,
  WebhookStore,
} from '../types/webhooks.ts';
import { type Database, type SqlValue, placeholdersFor } from '../database/database.ts';

/** A row of `webhook_message`. */
export interface MessageRow {
  readonly id: number;
  readonly event_id: number;
  readonly hook_id: number;
  readonly state: MessageState;
  readonly attempts: number;
  readonly due_at: number;
  readonly redelivery: number;
  readonly created_at: number;
  readonly reason: string | null;
}

interface ListedRow extends MessageRow {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
}

const insertSql = /* sql */ `
  INSERT INTO webhook_message (event_id, hook_id, state, due_at, redelivery, created_at, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

export const addMessages = (
  database: Database,
  batches: readonly { readonly eventId: number; readonly messages: readonly NewMessage[] }[],
  at: number,
): void =>
  database.write(() => {
    for (const { eventId, messages } of batches) {
      // Another host may have been faster.
      const { changes } = database.run(
        'UPDATE webhook_event SET is_new = 0 WHERE id = ? AND is_new = 1',
        eventId,
      );
      if (changes === 0) continue;
      for (const { hookId, reason } of messages)
        database.run(
          insertSql,
          eventId,
          hookId,
          reason === undefined ? 'waiting' : 'dropped',
          at,
          0,
          at,
          reason ?? null,
        );
    }
  });

export const addRedelivery = (
  database: Database,
  { eventId, hookId }: { readonly eventId: number; readonly hookId: number },
  at: number,
): number => database.write(() => database.run(insertSql, eventId, hookId, 'waiting', at, 1, at, null).key);

/** Implements `WebhookStore.replay`. Keeps the order of the events. */
export const replay = (
  database: Database,
  { hookId, since, onlyFailed }: ReplayRequest,
  at: number,
): number =>
  database.write(
    () =>
      database.run(
        /* sql */ `
        INSERT INTO webhook_message (event_id, hook_id, state, due_at, redelivery, created_at)
        SELECT message.event_id, message.hook_id, 'waiting', ?, 1, ?
        FROM webhook_message AS message JOIN webhook_event AS event ON event.id = message.event_id
        WHERE message.hook_id = ? AND event.occurred_at >= ? AND event.payload IS NOT NULL
        GROUP BY message.event_id, message.hook_id
        HAVING count(*) FILTER (WHERE message.state IN ('waiting', 'sending', 'dropped')) = 0
          AND (? = 0 OR count(*) FILTER (WHERE message.state = 'delivered') = 0)
        ORDER BY message.event_id`,
        at,
        at,
        hookId,
        since,
        onlyFailed ? 1 : 0,
      ).changes,
  );

export const listDue = (database: Database): DueWebhook[] =>
  database.all<{ hookId: number; dueAt: number }>(
    `SELECT hook_id AS "hookId", min(due_at) AS "dueAt" FROM webhook_message WHERE state = 'waiting' GROUP BY hook_id`,
  );

export const nextDue = (database: Database, hookId: number, ordered: boolean): number | undefined =>
  database.get<{ due_at: number }>(
    `SELECT due_at FROM webhook_message WHERE state = 'waiting' AND hook_id = ? ORDER BY ${ordered ? 'id' : 'due_at, id'} LIMIT 1`,
    hookId,
  )?.due_at;

const claimable = /* sql */ `
  SELECT * FROM webhook_message WHERE state = 'waiting' AND hook_id = ?`;
export const claimSql = `${claimable} AND due_at <= ? ORDER BY due_at, id LIMIT ?`;
export const claimOldestSql = `${claimable} ORDER BY id LIMIT 1`;

/** Claims the requested messages. Call it inside a transaction. */
export function claim(database: Database, { requests, epoch, at }: DeliveryClaim): Message[] {
  const rows = requests.flatMap(({ hookId, limit, ordered }) =>
    ordered
      ? database.all<MessageRow>(claimOldestSql, hookId).filter(({ due_at: dueAt }) => dueAt <= at)
      : database.all<MessageRow>(claimSql, hookId, at, limit),
  );
  for (const { id } of rows)
    database.run("UPDATE webhook_message SET state = 'sending', epoch = ? WHERE id = ?", epoch, id);
  return rows.map(toMessage);
}

export const returnClaimed = (database: Database, epoch: number, at: number): number =>
  database.write(
    () =>
      database.run(
        "UPDATE webhook_message SET state = 'waiting', epoch = NULL, due_at = CASE WHEN due_at < ? THEN due_at ELSE ? END WHERE state = 'sending' AND epoch <> ?",
        at,
        at,
        epoch,
      ).changes,
  );

export const release = (database: Database, messageIds: readonly number[], epoch: number): void =>
  database.write(() => {
    for (const id of messageIds)
      database.run(
        "UPDATE webhook_message SET state = 'waiting', epoch = NULL WHERE id = ? AND state = 'sending' AND epoch = ?",
        id,
        epoch,
      );
  });

const listedSql = /* sql */ `
  SELECT message.*, event.guid, event.event, event.action
  FROM webhook_message AS message JOIN webhook_event AS event ON event.id = message.event_id`;

export function findMessage(database: Database, id: number): ListedMessage | undefined {
  const row = database.get<ListedRow>(`${listedSql} WHERE message.id = ?`, id);
  return row && toListed(row);
}

/** Messages of notification channels are listed by channel only. */
const noChannels = ' AND message.hook_id IN (SELECT id FROM webhook_hook WHERE channel IS NULL)';

export function listMessages(
  database: Database,
  filter: Parameters<WebhookStore['listMessages']>[0],
): ListedMessage[] {
  const { hookId, guid, states, beforeId = Number.MAX_SAFE_INTEGER, limit } = filter;
  const values: SqlValue[] = [beforeId, ...states];
  const webhookFilter = hookId === undefined ? noChannels : ' AND message.hook_id = ?';
  if (hookId !== undefined) values.push(hookId);
  const eventFilter = guid === undefined ? '' : ' AND event.guid = ?';
  if (guid !== undefined) values.push(guid);
  return database
    .all<ListedRow>(
      `${listedSql} WHERE message.id < ? AND message.state IN (${placeholdersFor(states)})${webhookFilter}${eventFilter} ORDER BY message.id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(toListed);
}

export const countMessages = (
  database: Database,
  hookId: number,
): Readonly<Partial<Record<MessageState, number>>> =>
  Object.fromEntries(
    database
      .all<{ state: MessageState; messages: number }>(
        'SELECT state, count(*) AS messages FROM webhook_message WHERE hook_id = ? GROUP BY state',
        hookId,
      )
      .map(({ state, messages }) => [state, messages]),
  );

export const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  eventId: row.event_id,
  hookId: row.hook_id,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.due_at,
  redelivery: row.redelivery === 1,
  createdAt: row.created_at,
  ...(row.reason !== null && { reason: row.reason }),
});

const toListed = (row: ListedRow): ListedMessage => ({
  ...toMessage(row),
  guid: row.guid,
  event: row.event,
  ...(row.action !== null && { action: row.action }),
});
