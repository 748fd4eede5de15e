import type { Database } from '../database/database.ts';

/**
 * Implements `WebhookStore.purge`. Messages and deliveries are removed with their event, a deleted hook when it has
 * nothing left.
 */
export const purgeWebhooks = (database: Database, before: number, max: number): boolean =>
  database.write(() => {
    const { changes } = database.run(
      /* sql */ `
      DELETE FROM webhook_event WHERE id IN (
        SELECT id FROM webhook_event WHERE occurred_at < ? ORDER BY occurred_at LIMIT ?)
        AND NOT EXISTS (SELECT 1 FROM webhook_message WHERE event_id = webhook_event.id AND created_at >= ?)`,
      before,
      max,
      before,
    );
    database.run(
      /* sql */ `
      DELETE FROM webhook_hook WHERE deleted_at < ? AND NOT EXISTS (
        SELECT 1 FROM webhook_message WHERE hook_id = webhook_hook.id AND state IN ('waiting', 'sending'))`,
      before,
    );
    return changes > 0;
  });
