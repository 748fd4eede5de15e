import { AppError } from '../../../base/errors.ts';
import type {
  Receiver,
  ReceiverScheme,
  ReceiverSecret,
  ReceiverSettings,
} from '../../../webhooks/receiving/ports.ts';
import type { Database, SqlValue } from '../../database/database.ts';

interface ReceiverRow {
  readonly key: number;
  readonly id: string;
  readonly name: string;
  readonly scheme: ReceiverScheme;
  readonly secrets: string;
  readonly allow_sha1: number;
  readonly max_body: number;
  readonly dedupe_ms: number;
  readonly keep_ms: number;
  readonly active: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export const listReceivers = (database: Database): Receiver[] =>
  database.all<ReceiverRow>('SELECT * FROM webhook_receiver ORDER BY name').map(toReceiver);

export function findReceiver(database: Database, id: string): Receiver | undefined {
  const row = database.get<ReceiverRow>('SELECT * FROM webhook_receiver WHERE id = ?', id);
  return row && toReceiver(row);
}

export const receiverVersion = (database: Database): number =>
  database.get<{ version: number }>('SELECT version FROM webhook_receiver_version')!.version;

export function createReceiver(
  database: Database,
  id: string,
  settings: ReceiverSettings,
  at: number,
): Receiver {
  return database.write(() => {
    assertNameFree(database, settings.name);
    database.run(
      /* sql */ `
      INSERT INTO webhook_receiver (id, name, scheme, secrets, allow_sha1, max_body, dedupe_ms, keep_ms, active,
        updated_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      ...toValues(settings, at),
      at,
    );
    recordChange(database);
    return findReceiver(database, id)!;
  });
}

export function updateReceiver(
  database: Database,
  id: string,
  settings: ReceiverSettings,
  at: number,
): Receiver {
  return database.write(() => {
    assertNameFree(database, settings.name, id);
    const { changes } = database.run(
      /* sql */ `
      UPDATE webhook_receiver SET name = ?, scheme = ?, secrets = ?, allow_sha1 = ?, max_body = ?, dedupe_ms = ?,
        keep_ms = ?, active = ?, updated_at = ? WHERE id = ?`,
      ...toValues(settings, at),
      id,
    );
    if (changes === 0) throw new AppError('not_found', `Receiver ${id} not found. It may have been deleted.`);
    recordChange(database);
    return findReceiver(database, id)!;
  });
}

export function deleteReceiver(database: Database, id: string): boolean {
  return database.write(() => {
    const { changes } = database.run('DELETE FROM webhook_receiver WHERE id = ?', id);
    if (changes > 0) recordChange(database);
    return changes > 0;
  });
}

function assertNameFree(database: Database, name: string, id = ''): void {
  const other = database.get('SELECT 1 FROM webhook_receiver WHERE name = ? AND id <> ?', name, id);
  if (other === undefined) return;
  throw new AppError('already_exists', `Receiver "${name}" already exists. Choose another name.`, {
    details: { field: 'name' },
  });
}

const recordChange = (database: Database): void =>
  void database.run('UPDATE webhook_receiver_version SET version = version + 1');

const toValues = (settings: ReceiverSettings, at: number): SqlValue[] => [
  settings.name,
  settings.scheme,
  JSON.stringify(settings.secrets),
  settings.allowSha1 ? 1 : 0,
  settings.maxBodyBytes,
  settings.dedupeMs,
  settings.keepMs,
  settings.active ? 1 : 0,
  at,
];

const toReceiver = (row: ReceiverRow): Receiver => ({
  key: row.key,
  id: row.id,
  name: row.name,
  scheme: row.scheme,
  secrets: JSON.parse(row.secrets) as ReceiverSecret[],
  allowSha1: row.allow_sha1 === 1,
  maxBodyBytes: row.max_body,
  dedupeMs: row.dedupe_ms,
  keepMs: row.keep_ms,
  active: row.active === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
