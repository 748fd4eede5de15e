import type { NotificationEvent } from '../../model/notification.ts';
import type { Database } from '../database/database.ts';

/**
 * Stores an event for the notification rules. Call it inside the transaction that changes the state it reports, so that
 * both are stored or neither. Stores nothing while there are no channels.
 */
export function notifyEvent(database: Database, event: NotificationEvent): void {
  if (!hasChannels(database)) return;
  const { type, workflow, runId = null, at, detail = null, key = null } = event;
  database.run(
    /* sql */ `
    INSERT INTO notification_event (type, dag, run_id, at, detail, event_key, is_new) VALUES (?, ?, ?, ?, ?, ?, 1)
    ON CONFLICT (event_key) DO NOTHING`,
    type,
    workflow,
    runId,
    at,
    detail,
    key,
  );
}

/** Whether there are channels. Checked once for all runs of a commit: writers take turns, so none can be added meanwhile. */
export const hasChannels = (database: Database): boolean =>
  database.readOnce('notification channels', () => database.get(channelsSql) !== undefined);

const channelsSql =
  'SELECT 1 AS found FROM webhook_hook WHERE channel IS NOT NULL AND deleted_at IS NULL LIMIT 1';
