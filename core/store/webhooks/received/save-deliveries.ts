import { createHash } from 'node:crypto';
import { formatUuidV7 } from '../../../base/ids.ts';
import { LARGE_JSON } from '../../../base/text/json-size.ts';
import type {
  AcceptedRequest,
  StoredRequest,
  StoredStart,
  RefusedRequest,
  TriggerRef,
  PendingStart,
} from '../../../webhooks/receiving/ports.ts';
import type { Database, SqlValue } from '../../database/database.ts';

/** Rejected requests stored per receiver; limited, because anyone can send them. */
export const maxStoredRejections = 200;

export function saveDeliveries(
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
    INSERT INTO webhook_received (receiver_key, received_at, state, delivery_id, hook_id, event, action, content_type,
      headers, body, bytes, address, duplicate_of, verified, proof, reason, depth, replay_of, passed_over)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    request.receiver.key,
    request.at,
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
