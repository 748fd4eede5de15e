import { AppError } from '../../base/errors.ts';
import type {
  Receiver,
  ReceiverSecret,
  ReceiverSettings,
  StoredStart,
  SkippedTrigger,
  ReceivedDelivery,
  ReceivedFilter,
  StartOutcome,
} from '../types/receivers.ts';
import type { ReceiverMethod, ReceiverScheme } from '../../model/webhook.ts';
import type { Database, SqlValue } from '../database/database.ts';

interface ReceiverRow {
  readonly key: number;
  readonly id: string;
  readonly name: string;
  readonly scheme: ReceiverScheme;
  readonly secrets: string;
  readonly methods: string;
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
      INSERT INTO webhook_receiver (id, name, scheme, secrets, methods, allow_sha1, max_body, dedupe_ms, keep_ms,
        active, updated_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      UPDATE webhook_receiver SET name = ?, scheme = ?, secrets = ?, methods = ?, allow_sha1 = ?, max_body = ?,
        dedupe_ms = ?, keep_ms = ?, active = ?, updated_at = ? WHERE id = ?`,
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
  settings.methods.join(' '),
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
  methods: row.methods.split(' ') as ReceiverMethod[],
  allowSha1: row.allow_sha1 === 1,
  maxBodyBytes: row.max_body,
  dedupeMs: row.dedupe_ms,
  keepMs: row.keep_ms,
  active: row.active === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

interface ReceivedRow {
  readonly key: number;
  readonly receiver_key: number;
  readonly received_at: number;
  readonly method: string;
  readonly state: ReceivedDelivery['state'];
  readonly verified: number;
  readonly proof: string | null;
  readonly reason: string | null;
  readonly delivery_id: string | null;
  readonly hook_id: string | null;
  readonly event: string | null;
  readonly action: string | null;
  readonly content_type: string | null;
  readonly headers: string;
  readonly bytes: number;
  readonly address: string | null;
  readonly depth: number;
  readonly duplicate_of: number | null;
  readonly replay_of: number | null;
  readonly passed_over: string | null;
}

interface StartRow {
  readonly received_key: number;
  readonly dag: string;
  readonly trigger_no: number;
  readonly outcome: StartOutcome;
  readonly reason: string | null;
  readonly run_name: string;
  readonly run_id: string;
  readonly due_at: number | null;
}

/** All columns except the body. */
const columns = `key, receiver_key, received_at, method, state, verified, proof, reason, delivery_id, hook_id, event, action,
  content_type, headers, bytes, address, depth, duplicate_of, replay_of, passed_over`;

export function listReceived(database: Database, filter: ReceivedFilter): ReceivedDelivery[] {
  const conditions: [string, SqlValue | undefined][] = [
    ['receiver_key = ?', filter.receiverKey],
    ['key < ?', filter.beforeKey],
    ['verified = ?', filter.verified === undefined ? undefined : Number(filter.verified)],
    ['event = ?', filter.event],
    ['delivery_id = ?', filter.deliveryId],
  ];
  const applied = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  return database.read(() =>
    database
      .all<ReceivedRow>(
        `SELECT ${columns} FROM webhook_received WHERE ${applied.map(({ sql }) => sql).join(' AND ')} ORDER BY key DESC LIMIT ?`,
        ...applied.map(({ value }) => value),
        filter.limit,
      )
      .map((row) => toDelivery(row, listStarts(database, row.key))),
  );
}

export function findReceived(database: Database, key: number): ReceivedDelivery | undefined {
  return database.read(() => {
    const row = database.get<ReceivedRow>(`SELECT ${columns} FROM webhook_received WHERE key = ?`, key);
    return row && toDelivery(row, listStarts(database, row.key));
  });
}

export function readBody(database: Database, key: number): Buffer | undefined {
  const row = database.get<{ body: Uint8Array | null }>(
    'SELECT body FROM webhook_received WHERE key = ?',
    key,
  );
  return row?.body ? Buffer.from(row.body) : undefined;
}

const listStarts = (database: Database, key: number): StoredStart[] =>
  database
    .all<StartRow>('SELECT * FROM webhook_start WHERE received_key = ? ORDER BY dag, trigger_no', key)
    .map(toStart);

/** Converts a row; null columns become absent fields. */
export const toStart = ({ reason, due_at: dueAt, ...row }: StartRow): StoredStart => ({
  receivedKey: row.received_key,
  dag: row.dag,
  trigger: row.trigger_no,
  outcome: row.outcome,
  run: { name: row.run_name, dagRunId: row.run_id },
  ...(reason !== null && { reason }),
  ...(dueAt !== null && { dueAt }),
});

const toDelivery = (row: ReceivedRow, starts: readonly StoredStart[]): ReceivedDelivery => ({
  key: row.key,
  receiverKey: row.receiver_key,
  at: row.received_at,
  method: row.method,
  state: row.state,
  verified: row.verified === 1,
  headers: JSON.parse(row.headers) as Record<string, string>,
  bytes: row.bytes,
  depth: row.depth,
  passedOver: row.passed_over === null ? [] : (JSON.parse(row.passed_over) as SkippedTrigger[]),
  starts,
  ...(row.proof !== null && { proof: row.proof }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.delivery_id !== null && { deliveryId: row.delivery_id }),
  ...(row.hook_id !== null && { hookId: row.hook_id }),
  ...(row.event !== null && { event: row.event }),
  ...(row.action !== null && { action: row.action }),
  ...(row.content_type !== null && { contentType: row.content_type }),
  ...(row.address !== null && { address: row.address }),
  ...(row.duplicate_of !== null && { duplicateOf: row.duplicate_of }),
  ...(row.replay_of !== null && { replayOf: row.replay_of }),
});
