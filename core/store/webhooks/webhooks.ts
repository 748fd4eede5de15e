import { AppError } from '../../base/errors.ts';
import type { WebhookKind, HookOptions, LastResponse } from '../../contract/webhook-views.ts';
import type { Channel, ChannelSettings, RuleSettings } from '../types/notifications.ts';
import type { Webhook, WebhookHealth, WebhookSecret, WebhookSettings, NewEvent } from '../types/webhooks.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { insertEvent } from './events.ts';

interface WebhookRow {
  readonly id: number;
  readonly kind: WebhookKind;
  readonly owner: string;
  readonly target_id: number;
  readonly url: string;
  readonly format: 'json' | 'form';
  readonly secrets: string;
  readonly verify_tls: number;
  readonly active: number;
  readonly events: string;
  readonly options: string;
  readonly channel: string | null;
  readonly failing_since: number | null;
  readonly disabled_reason: string | null;
  readonly last_response: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted_at: number | null;
}

const settingColumns = [
  'kind',
  'owner',
  'target_id',
  'url',
  'format',
  'secrets',
  'verify_tls',
  'active',
  'events',
  'options',
  'channel',
];

const settingValues = (settings: WebhookSettings): SqlValue[] => [
  settings.kind,
  settings.owner,
  settings.targetId,
  settings.url,
  settings.format,
  JSON.stringify(settings.secrets),
  settings.verifyTls ? 1 : 0,
  settings.active ? 1 : 0,
  JSON.stringify(settings.events),
  JSON.stringify(settings.options),
  settings.channel === undefined ? null : JSON.stringify(settings.channel),
];

export const createWebhook = (database: Database, settings: WebhookSettings, at: number): Webhook =>
  database.write(() => {
    assertNameFree(database, settings);
    const placeholders = settingColumns.map(() => '?').join(', ');
    const { key } = database.run(
      `INSERT INTO webhook_hook (${settingColumns.join(', ')}, created_at, updated_at) VALUES (${placeholders}, ?, ?)`,
      ...settingValues(settings),
      at,
      at,
    );
    recordChange(database);
    return findWebhook(database, key)!;
  });

/** Implements `WebhookStore.updateWebhook`. Enabling a hook also clears why it was disabled. */
export const updateWebhook = (
  database: Database,
  id: number,
  settings: WebhookSettings,
  at: number,
): Webhook | undefined =>
  database.write(() => {
    const before = findWebhook(database, id);
    if (before === undefined) return undefined;
    assertNameFree(database, settings, id);
    const assignments = settingColumns.map((column) => `${column} = ?`).join(', ');
    database.run(
      `UPDATE webhook_hook SET ${assignments}, updated_at = ? WHERE id = ?`,
      ...settingValues(settings),
      at,
      id,
    );
    if (settings.active && !before.active)
      database.run('UPDATE webhook_hook SET disabled_reason = NULL, failing_since = NULL WHERE id = ?', id);
    if (settings.channel !== undefined && settings.owner !== before.owner)
      renameInRules(database, before.owner, settings.owner, at);
    recordChange(database);
    return findWebhook(database, id);
  });

function assertNameFree(database: Database, { channel, owner }: WebhookSettings, except = -1): void {
  if (channel === undefined) return;
  const other = database.get(
    'SELECT 1 AS found FROM webhook_hook WHERE channel IS NOT NULL AND deleted_at IS NULL AND owner = ? AND id <> ?',
    owner,
    except,
  );
  if (other !== undefined)
    throw new AppError('already_exists', `Channel "${owner}" already exists. Choose another name.`);
}

function renameInRules(database: Database, before: string, name: string, at: number): void {
  const rules = database.all<{ id: number; definition: string }>(
    'SELECT id, definition FROM notification_rule',
  );
  for (const { id, definition } of rules) {
    const rule = JSON.parse(definition) as Pick<RuleSettings, 'channels'>;
    if (!rule.channels.includes(before)) continue;
    const channels = rule.channels.map((channel) => (channel === before ? name : channel));
    database.run(
      'UPDATE notification_rule SET definition = ?, updated_at = ? WHERE id = ?',
      JSON.stringify({ ...rule, channels }),
      at,
      id,
    );
  }
}

export const deleteWebhook = (database: Database, id: number, at: number, deletedEvent?: NewEvent): boolean =>
  database.write(() => {
    if (findWebhook(database, id) === undefined) return false;
    if (deletedEvent === undefined) database.run('DELETE FROM webhook_hook WHERE id = ?', id);
    else {
      database.run("DELETE FROM webhook_message WHERE hook_id = ? AND state = 'waiting'", id);
      database.run('UPDATE webhook_hook SET deleted_at = ? WHERE id = ?', at, id);
      insertEvent(database, deletedEvent, at);
    }
    recordChange(database);
    return true;
  });

export function findWebhook(database: Database, id: number): Webhook | undefined {
  const row = database.get<WebhookRow>('SELECT * FROM webhook_hook WHERE id = ? AND deleted_at IS NULL', id);
  return row && toWebhook(row);
}

export function listWebhooks(
  database: Database,
  filter: {
    kind?: WebhookKind | undefined;
    owner?: string | undefined;
    beforeId?: number | undefined;
    limit: number;
  },
): Webhook[] {
  const { kind, owner, beforeId = Number.MAX_SAFE_INTEGER, limit } = filter;
  const conditions = ['deleted_at IS NULL', 'channel IS NULL', 'id < ?'];
  const values: SqlValue[] = [beforeId];
  if (kind !== undefined) {
    conditions.push('kind = ?');
    values.push(kind);
  }
  if (owner !== undefined) {
    conditions.push('lower(owner) = lower(?)');
    values.push(owner);
  }
  return database
    .all<WebhookRow>(
      `SELECT * FROM webhook_hook WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(toWebhook);
}

export const listChannels = (database: Database): Channel[] =>
  database
    .all<WebhookRow>(
      'SELECT * FROM webhook_hook WHERE channel IS NOT NULL AND deleted_at IS NULL ORDER BY owner',
    )
    .map((row) => toWebhook(row) as Channel);

export const allWebhooks = (database: Database): Webhook[] =>
  database.all<WebhookRow>('SELECT * FROM webhook_hook ORDER BY id').map(toWebhook);

export const webhookVersion = (database: Database): number =>
  database.get<{ version: number }>('SELECT version FROM webhook_hook_version WHERE key = 1')!.version;

/** Writes the health of a hook. Call it inside a transaction. */
export function setHealth(database: Database, id: number, health: WebhookHealth): void {
  const { failingSince, lastResponse, disabledReason } = health;
  database.run(
    'UPDATE webhook_hook SET failing_since = ?, last_response = ? WHERE id = ?',
    failingSince ?? null,
    JSON.stringify(lastResponse),
    id,
  );
  if (disabledReason === undefined) return;
  database.run('UPDATE webhook_hook SET active = 0, disabled_reason = ? WHERE id = ?', disabledReason, id);
  recordChange(database);
}

const recordChange = (database: Database): void =>
  void database.run('UPDATE webhook_hook_version SET version = version + 1 WHERE key = 1');

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  kind: row.kind,
  owner: row.owner,
  targetId: row.target_id,
  url: row.url,
  format: row.format,
  secrets: JSON.parse(row.secrets) as WebhookSecret[],
  verifyTls: row.verify_tls === 1,
  active: row.active === 1,
  events: JSON.parse(row.events) as string[],
  options: JSON.parse(row.options) as HookOptions,
  ...(row.channel !== null && { channel: JSON.parse(row.channel) as ChannelSettings }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.failing_since !== null && { failingSince: row.failing_since }),
  ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
  ...(row.last_response !== null && { lastResponse: JSON.parse(row.last_response) as LastResponse }),
  ...(row.deleted_at !== null && { deletedAt: row.deleted_at }),
});

const common = /* sql */ `
  (SELECT version FROM webhook_hook_version) AS hooks,
  (SELECT version FROM webhook_receiver_version) AS receivers,
  (SELECT min(id) FROM webhook_event) AS oldest_event,
  (SELECT min(key) FROM webhook_received) AS oldest_received`;
const markSql = /* sql */ `
  SELECT (SELECT json_group_object(name, seq) FROM sqlite_sequence WHERE name LIKE 'webhook_%') AS added, ${common},
    (SELECT json_array(count(*), max(id)) FROM webhook_message WHERE state = 'sending') AS sending,
    (SELECT json_array(count(*), max(received_key)) FROM webhook_start WHERE outcome = 'pending') AS pending`;
/** PostgreSQL sequences advance before a commit is visible, so they cannot be used. */
const serverMarkSql = /* sql */ `
  SELECT (SELECT max(id) FROM webhook_event) AS events, (SELECT max(id) FROM webhook_message) AS messages,
    (SELECT max(id) FROM webhook_delivery) AS deliveries, (SELECT max(key) FROM webhook_received) AS received, ${common},
    (SELECT count(*) FROM webhook_message WHERE state = 'sending') AS sending,
    (SELECT max(id) FROM webhook_message WHERE state = 'sending') AS last_sending,
    (SELECT count(*) FROM webhook_start WHERE outcome = 'pending') AS pending,
    (SELECT max(received_key) FROM webhook_start WHERE outcome = 'pending') AS last_pending`;

/** Returns a string that changes whenever any webhook data has changed, outgoing or incoming. Reads indexes only. */
export const readWebhookRevision = (database: Database): string =>
  JSON.stringify(database.get(database instanceof SqliteDatabase ? markSql : serverMarkSql));
