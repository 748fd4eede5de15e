import { createHash } from 'node:crypto';
import { formatUuidV7 } from '../../base/ids.ts';
import { LARGE_JSON } from '../../base/json.ts';
import type { RunRef } from '../../model/run.ts';
import type {
  ReceivedStore,
  AcceptedRequest,
  StoredRequest,
  StoredStart,
  RefusedRequest,
  TriggerRef,
  PendingStart,
} from '../types/receivers.ts';
import type { Database, SqlValue } from '../database/database.ts';
import type { Operations } from '../open-store.ts';
import {
  findReceived,
  listReceived,
  readBody,
  createReceiver,
  deleteReceiver,
  findReceiver,
  listReceivers,
  receiverVersion,
  updateReceiver,
  toStart,
} from './receivers.ts';

/** Creates the store of incoming webhooks on an open connection. */
export const createReceivedStore = (database: Database): Operations<ReceivedStore> => ({
  listReceivers: () => listReceivers(database),
  findReceiver: (id) => findReceiver(database, id),
  receiverVersion: () => receiverVersion(database),
  createReceiver: (id, settings, at) => createReceiver(database, id, settings, at),
  updateReceiver: (id, settings, at) => updateReceiver(database, id, settings, at),
  deleteReceiver: (id) => deleteReceiver(database, id),
  keep: (requests) => saveDeliveries(database, requests),
  listReceived: (filter) => listReceived(database, filter),
  findReceived: (key) => findReceived(database, key),
  readBody: (key) => readBody(database, key),
  listDueStarts: (options) => listDueStarts(database, options),
  findNextStart: (graceMs) => findNextStart(database, graceMs),
  settle: (starts) => settle(database, starts),
  findEventDepth: (guid) => findEventDepth(database, guid),
  purge: (at, limit) => purgeReceived(database, at, limit),
});

/** Rejected requests stored per receiver; limited, because anyone can send them. */
export const maxStoredRejections = 200;

function saveDeliveries(
  database: Database,
  requests: readonly (AcceptedRequest | RefusedRequest)[],
): StoredRequest[] {
  return database.write(
    () => {
      const storedStart = requests.map((request) =>
        'reason' in request ? saveRejected(database, request) : saveAccepted(database, request),
      );
      const rejectingKeys = requests.flatMap((request) =>
        'reason' in request ? [request.receiver.key] : [],
      );
      for (const receiverKey of new Set(rejectingKeys)) removeOldRejections(database, receiverKey);
      return storedStart;
    },
    requests.some(({ body }) => body !== undefined && body.length > LARGE_JSON),
  );
}

function saveRejected(database: Database, request: RefusedRequest): StoredRequest {
  return { key: insertRequest(database, request, { state: 'refused' }), starts: [] };
}

function saveAccepted(database: Database, request: AcceptedRequest): StoredRequest {
  const duplicateOf = findSame(database, request);
  if (duplicateOf !== undefined)
    return {
      key: insertRequest(database, request, { state: 'duplicate', duplicateOf }),
      duplicateOf,
      starts: [],
    };
  const key = insertRequest(database, request, { state: 'accepted' });
  return {
    key,
    starts: request.starts.map((start) => insertStart(database, start, { key, at: request.at })),
  };
}

/** The casts do not change values: in ordered queries SQLite plans again for each bare one. */
const sameSql = /* sql */ `
  SELECT key, received_at FROM webhook_received
  WHERE receiver_key = CAST(? AS bigint) AND delivery_id = CAST(? AS text)
    AND hook_id IS NOT DISTINCT FROM CAST(? AS text) AND state = 'accepted' AND replay_of IS NULL
  ORDER BY key DESC LIMIT 1`;

/**
 * Returns the delivery that a request repeats, of the same hook, because all hooks notified of an event share its id.
 */
function findSame(database: Database, request: AcceptedRequest): number | undefined {
  const { receiver, deliveryId, hookId, at, replayOf } = request;
  if (deliveryId === undefined || receiver.dedupeMs === 0 || replayOf !== undefined) return undefined;
  const same = database.get<{ key: number; received_at: number }>(
    sameSql,
    receiver.key,
    deliveryId,
    hookId ?? null,
  );
  return same !== undefined && Math.abs(at - same.received_at) < receiver.dedupeMs ? same.key : undefined;
}

function insertRequest(
  database: Database,
  request: AcceptedRequest | RefusedRequest,
  newState: { readonly state: string; readonly duplicateOf?: number },
): number {
  const isDuplicate = newState.duplicateOf !== undefined;
  const { key } = database.run(
    /* sql */ `
    INSERT INTO webhook_received (receiver_key, received_at, method, state, delivery_id, hook_id, event, action,
      content_type, headers, body, bytes, address, duplicate_of, verified, proof, reason, depth, replay_of, passed_over)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    request.receiver.key,
    request.at,
    request.method,
    newState.state,
    request.deliveryId ?? null,
    request.hookId ?? null,
    request.event ?? null,
    request.action ?? null,
    request.contentType ?? null,
    JSON.stringify(request.headers),
    isDuplicate ? null : (request.body ?? null),
    request.bytes,
    request.address ?? null,
    newState.duplicateOf ?? null,
    ...('reason' in request ? refusalValues(request) : acceptanceValues(request, isDuplicate)),
  );
  return key;
}

/** Returns the values of verified, proof, reason, depth, replay_of, passed_over. */
const refusalValues = ({ verified, reason }: RefusedRequest): SqlValue[] => [
  verified ? 1 : 0,
  null,
  reason,
  0,
  null,
  null,
];

const acceptanceValues = (
  { proof, depth, replayOf, passedOver }: AcceptedRequest,
  isDuplicate: boolean,
): SqlValue[] => [
  1,
  proof,
  null,
  depth,
  replayOf ?? null,
  passedOver.length === 0 || isDuplicate ? null : JSON.stringify(passedOver),
];

/** Adds a start. Pending starts of an earlier delivery are then replaced. */
function insertStart(
  database: Database,
  start: PendingStart,
  { key, at }: { readonly key: number; readonly at: number },
): StoredStart {
  const { dag, trigger, name, debounce } = start;
  if (debounce !== undefined) {
    database.run(
      /* sql */ `
      UPDATE webhook_start SET outcome = 'replaced', reason = ?
      WHERE dag = ? AND trigger_no = ? AND debounce_key = ? AND outcome = 'pending'`,
      `Replaced by delivery ${key}, which arrived within the \`debounce\` time.`,
      dag,
      trigger,
      debounce.key,
    );
  }
  const dagRunId = startRunId(key, at, start);
  const dueAt = debounce && at + debounce.waitMs;
  database.run(
    /* sql */ `
    INSERT INTO webhook_start (received_key, dag, trigger_no, outcome, run_name, run_id, due_at, debounce_key)
    VALUES (?, ?, ?, 'pending', ?, ?, ?, ?)`,
    key,
    dag,
    trigger,
    name,
    dagRunId,
    dueAt ?? null,
    debounce?.key ?? null,
  );
  const storedStart: StoredStart = {
    receivedKey: key,
    dag,
    trigger,
    outcome: 'pending',
    run: { name, dagRunId },
  };
  return dueAt === undefined ? storedStart : { ...storedStart, dueAt };
}

/** Returns the same id for the same delivery and trigger, whichever host starts it and however often. */
function startRunId(key: number, at: number, { dag, trigger }: TriggerRef): string {
  const digest = createHash('sha256').update(`${key}/${trigger}/${dag}`).digest();
  return formatUuidV7(at, digest.subarray(0, 10));
}

const removeOldRejections = (database: Database, receiverKey: number): void =>
  void database.run(
    /* sql */ `
    DELETE FROM webhook_received WHERE state = 'refused' AND receiver_key = ? AND key <= (
      SELECT key FROM webhook_received WHERE state = 'refused' AND receiver_key = ?
      ORDER BY key DESC LIMIT 1 OFFSET ${maxStoredRejections})`,
    receiverKey,
    receiverKey,
  );

interface DepthRow {
  readonly depth: number;
}

const findEventDepth = (database: Database, guid: string): number | undefined =>
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

type StartRow = Parameters<typeof toStart>[0];

const listDueStarts = (
  database: Database,
  { at, receivedBefore, limit }: Parameters<ReceivedStore['listDueStarts']>[0],
): StoredStart[] =>
  database
    .all<StartRow>(
      /* sql */ `
      SELECT webhook_start.* FROM webhook_start INDEXED BY webhook_start_pending
      JOIN webhook_received ON webhook_received.key = webhook_start.received_key
      WHERE outcome = 'pending' AND (due_at <= ? OR (due_at IS NULL AND received_at <= ?))
      ORDER BY received_key LIMIT ?`,
      at,
      receivedBefore,
      limit,
    )
    .map(toStart);

const findNextStart = (database: Database, graceMs: number): number | undefined =>
  database.get<{ at: number | null }>(
    /* sql */ `
    SELECT min(coalesce(due_at, received_at + ?)) AS at FROM webhook_start INDEXED BY webhook_start_pending
    JOIN webhook_received ON webhook_received.key = webhook_start.received_key
    WHERE outcome = 'pending'`,
    graceMs,
  )?.at ?? undefined;

/** Implements `ReceivedStore.settle`. A run that was started stays recorded, whatever was stored meanwhile. */
function settle(database: Database, starts: Parameters<ReceivedStore['settle']>[0]): void {
  database.write(() => {
    for (const { receivedKey, dag, trigger, run, outcome, reason } of starts) {
      database.run(
        /* sql */ `
        UPDATE webhook_start SET outcome = ?, reason = ?, run_name = ?
        WHERE received_key = ? AND dag = ? AND trigger_no = ? AND (? = 'started' OR outcome = 'pending')`,
        outcome,
        reason ?? null,
        run.name,
        receivedKey,
        dag,
        trigger,
        outcome,
      );
    }
  });
}

type PurgeableDelivery = Awaited<ReturnType<ReceivedStore['purge']>>;

/** Implements `ReceivedStore.purge`. Pending starts stay. */
function purgeReceived(database: Database, at: number, limit: number): PurgeableDelivery {
  const old = findOld(database, at, limit);
  if (old.length === 0) return [];
  database.write(() => {
    for (const { receivedKey } of old)
      database.run('DELETE FROM webhook_received WHERE key = ?', receivedKey);
  });
  return old;
}

const oldSql = /* sql */ `
  SELECT key FROM webhook_received
  WHERE receiver_key = ? AND received_at < ? AND NOT EXISTS (
    SELECT 1 FROM webhook_start WHERE received_key = webhook_received.key AND outcome = 'pending')
  LIMIT ?`;

function findOld(database: Database, at: number, limit: number): PurgeableDelivery {
  const receivers = database.all<{ key: number; id: string; keep_ms: number }>(
    'SELECT key, id, keep_ms FROM webhook_receiver',
  );
  return receivers
    .flatMap(({ key, id, keep_ms: keepMs }) =>
      database
        .all<{ key: number }>(oldSql, key, at - keepMs, limit)
        .map((row) => ({ receiverId: id, receivedKey: row.key })),
    )
    .slice(0, limit);
}
