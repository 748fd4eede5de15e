import type {
  StoredStart,
  SkippedTrigger,
  ReceivedDelivery,
  ReceivedFilter,
  StartOutcome,
} from '../../../webhooks/receiving/ports.ts';
import type { Database, SqlValue } from '../../database/database.ts';

interface ReceivedRow {
  readonly key: number;
  readonly receiver_key: number;
  readonly received_at: number;
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
const columns = `key, receiver_key, received_at, state, verified, proof, reason, delivery_id, hook_id, event, action,
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
