import { AppError } from '../../base/errors.ts';
import type { NotificationEventType } from '../../model/notification.ts';
import type {
  DueMessages,
  NotificationDecision,
  NotificationMessage,
  NotificationRule,
  NotificationStore,
  RuleSettings,
  StoredNotificationEvent,
} from '../types/notifications.ts';
import type { ListPage, NewEvent } from '../types/webhooks.ts';
import { type Database, placeholdersFor } from '../database/database.ts';
import type { Operations } from '../open-store.ts';
import { listLastAttempts } from '../webhooks/deliveries.ts';
import { insertEvent } from '../webhooks/events.ts';
import { type MessageRow, toMessage } from '../webhooks/messages.ts';
import { listChannels } from '../webhooks/webhooks.ts';
import { notifyEvent } from './notify-event.ts';

/** Creates the store of notifications on an open connection. */
export const createNotificationStore = (database: Database): Operations<NotificationStore> => ({
  notifyEvent: (event) => database.write(() => notifyEvent(database, event)),
  listChannels: () => listChannels(database),
  listRules: () => listRules(database),
  createRule: (settings, at) => createRule(database, settings, at),
  updateRule: (id, settings, at) => updateRule(database, id, settings, at),
  deleteRule: (id) => database.run('DELETE FROM notification_rule WHERE id = ?', id).changes > 0,
  findNextWork: () => database.get<{ at: number | null }>(workSql)?.at ?? undefined,
  listNewEvents: (limit) => listNewEvents(database, limit),
  decide: (decisions, at) => decide(database, decisions, at),
  findHeldDue: (hookId, rule) =>
    database.get<{ due: number | null }>(
      'SELECT min(due_at) AS due FROM notification_held WHERE hook_id = ? AND rule = ?',
      hookId,
      rule,
    )?.due ?? undefined,
  listDue: (at) => listDue(database, at),
  releaseHeld: (ids, event, at) => releaseHeld(database, ids, event, at),
  listMessages: (filter) => listMessages(database, filter),
  findMessage: (id) =>
    listMessages(database, { beforeId: id + 1, limit: 1 }).find((message) => message.id === id),
  takeDesktopMessages: (at) => takeDesktopMessages(database, at),
});

const workSql = /* sql */ `
  SELECT CASE WHEN EXISTS (SELECT 1 FROM notification_event WHERE is_new = 1) THEN 0
    ELSE (SELECT min(due_at) FROM notification_held) END AS at`;

interface RuleRow {
  readonly id: number;
  readonly name: string;
  readonly enabled: number;
  readonly definition: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const listRules = (database: Database): NotificationRule[] =>
  database.all<RuleRow>('SELECT * FROM notification_rule ORDER BY name').map(toRule);

const toRule = (row: RuleRow): NotificationRule => ({
  ...(JSON.parse(row.definition) as Omit<RuleSettings, 'name' | 'enabled'>),
  id: row.id,
  name: row.name,
  enabled: row.enabled === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const createRule = (database: Database, settings: RuleSettings, at: number): NotificationRule =>
  database.write(() => {
    assertNameFree(database, settings.name);
    const { name, enabled, ...definition } = settings;
    const { key } = database.run(
      'INSERT INTO notification_rule (name, enabled, definition, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
      name,
      enabled ? 1 : 0,
      JSON.stringify(definition),
      at,
      at,
    );
    return { ...settings, id: key, createdAt: at, updatedAt: at };
  });

const updateRule = (
  database: Database,
  id: number,
  settings: RuleSettings,
  at: number,
): NotificationRule | undefined =>
  database.write(() => {
    assertNameFree(database, settings.name, id);
    const { name, enabled, workflows, events, channels, after, once, quiet, digestSec } = settings;
    database.run(
      'UPDATE notification_rule SET name = ?, enabled = ?, definition = ?, updated_at = ? WHERE id = ?',
      name,
      enabled ? 1 : 0,
      JSON.stringify({ workflows, events, channels, after, once, quiet, digestSec }),
      at,
      id,
    );
    const row = database.get<RuleRow>('SELECT * FROM notification_rule WHERE id = ?', id);
    return row && toRule(row);
  });

function assertNameFree(database: Database, name: string, except = -1): void {
  if (
    database.get('SELECT 1 AS found FROM notification_rule WHERE name = ? AND id <> ?', name, except) !==
    undefined
  )
    throw new AppError('already_exists', `Rule "${name}" already exists. Choose another name.`);
}

interface EventRow {
  readonly id: number;
  readonly type: NotificationEventType;
  readonly dag: string;
  readonly run_id: string | null;
  readonly at: number;
  readonly detail: string | null;
  readonly failures: number;
}

const listNewEvents = (database: Database, limit: number): StoredNotificationEvent[] =>
  database
    .all<EventRow>('SELECT * FROM notification_event WHERE is_new = 1 ORDER BY id LIMIT ?', limit)
    .map((row) => ({
      id: row.id,
      type: row.type,
      workflow: row.dag,
      runId: row.run_id ?? undefined,
      at: row.at,
      detail: row.detail ?? undefined,
      failures: row.failures,
    }));

const decide = (database: Database, decisions: readonly NotificationDecision[], at: number): void =>
  database.write(() => {
    for (const { eventId, send, hold } of decisions) {
      const { changes } = database.run(
        'UPDATE notification_event SET is_new = 0 WHERE id = ? AND is_new = 1',
        eventId,
      );
      // Another host was faster.
      if (changes === 0) continue;
      for (const event of send) insertEvent(database, event, at);
      for (const { hookId, rule, content, dueAt } of hold)
        database.run(
          'INSERT INTO notification_held (hook_id, rule, content, due_at) VALUES (?, ?, ?, ?)',
          hookId,
          rule,
          content,
          dueAt,
        );
    }
  });

interface HeldRow {
  readonly id: number;
  readonly hook_id: number;
  readonly rule: string;
  readonly content: string;
}

/** Most messages in a digest. */
const maxHeld = 1000;

function listDue(database: Database, at: number): DueMessages[] {
  const rows = database.all<HeldRow>(
    'SELECT * FROM notification_held WHERE due_at <= ? ORDER BY id LIMIT ?',
    at,
    maxHeld,
  );
  return [...Map.groupBy(rows, ({ hook_id: hookId, rule }) => `${hookId} ${rule}`).values()].map((group) => ({
    hookId: group[0]!.hook_id,
    rule: group[0]!.rule,
    ids: group.map(({ id }) => id),
    contents: group.map(({ content }) => content),
  }));
}

const releaseHeld = (database: Database, ids: readonly number[], event: NewEvent, at: number): void =>
  database.write(() => {
    const { changes } = database.run(
      `DELETE FROM notification_held WHERE id IN (${placeholdersFor(ids)})`,
      ...ids,
    );
    if (changes > 0) insertEvent(database, event, at);
  });

interface ListedRow extends MessageRow {
  readonly channel: string;
  readonly payload: string;
}

function listMessages(
  database: Database,
  { hookId, beforeId = Number.MAX_SAFE_INTEGER, limit }: { readonly hookId?: number | undefined } & ListPage,
): NotificationMessage[] {
  const values = [beforeId, ...(hookId === undefined ? [] : [hookId]), limit];
  const rows = database.all<ListedRow>(
    /* sql */ `
    SELECT message.*, hook.owner AS channel, event.payload
    FROM webhook_message AS message JOIN webhook_event AS event ON event.id = message.event_id
      JOIN webhook_hook AS hook ON hook.id = message.hook_id AND hook.channel IS NOT NULL
    WHERE message.id < ? ${hookId === undefined ? '' : 'AND message.hook_id = ?'} ORDER BY message.id DESC LIMIT ?`,
    ...values,
  );
  const attempts = listLastAttempts(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...toMessage(row),
    channel: row.channel,
    content: row.payload,
    lastAttempt: attempts.get(row.id),
  }));
}

interface DesktopRow {
  readonly id: number;
  readonly hook_id: number;
  readonly payload: string;
}

const desktopSql = /* sql */ `
  SELECT message.id, message.hook_id, event.payload
  FROM webhook_hook AS hook JOIN webhook_message AS message ON message.hook_id = hook.id AND message.state = 'waiting'
    JOIN webhook_event AS event ON event.id = message.event_id
  WHERE hook.channel LIKE '{"kind":"desktop"%' ORDER BY message.id LIMIT 100`;

function takeDesktopMessages(database: Database, at: number): string[] {
  if (database.get(desktopSql) === undefined) return [];
  return database.write(() => {
    const rows = database.all<DesktopRow>(desktopSql);
    for (const { id, hook_id: hookId } of rows) {
      database.run(
        "UPDATE webhook_message SET state = 'delivered', attempts = attempts + 1 WHERE id = ?",
        id,
      );
      database.run(
        /* sql */ `
        INSERT INTO webhook_delivery (message_id, hook_id, delivered_at, duration_ms, delivered, status, url,
          request_headers, response_cut)
        VALUES (?, ?, ?, 0, 1, 'OK', 'desktop', '{}', 0)`,
        id,
        hookId,
        at,
      );
    }
    return rows.map(({ payload }) => payload);
  });
}
