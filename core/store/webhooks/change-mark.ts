import type { Database } from '../database/database.ts';

const markSql = /* sql */ `
  SELECT (SELECT json_group_object(name, seq) FROM sqlite_sequence WHERE name LIKE 'webhook_%') AS added,
    (SELECT version FROM webhook_hook_version) AS hooks,
    (SELECT version FROM webhook_receiver_version) AS receivers,
    (SELECT min(id) FROM webhook_event) AS oldestEvent,
    (SELECT min(key) FROM webhook_received) AS oldestReceived,
    (SELECT json_array(count(*), max(id)) FROM webhook_message WHERE state = 'sending') AS sending,
    (SELECT json_array(count(*), max(received_key)) FROM webhook_start WHERE outcome = 'pending') AS pending`;

/** Another text than before when anything of webhooks is other than before, sent or received. Reads indexes only. */
export const readWebhookMark = (database: Database): string => JSON.stringify(database.get(markSql));
