import type { ReceivedStore } from '../../../webhooks/receiving/ports.ts';
import type { Database } from '../../database/database.ts';

type PurgeableDelivery = ReturnType<ReceivedStore['purge']>;

/** Implements `ReceivedStore.purge`. Pending starts stay. */
export function purgeReceived(database: Database, at: number, limit: number): PurgeableDelivery {
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
