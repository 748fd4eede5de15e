import type { Database } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';

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
