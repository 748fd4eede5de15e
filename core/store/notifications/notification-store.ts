import type { NotificationStore } from '../types/notifications.ts';
import type { Database } from '../database/database.ts';
import { notifyEvent } from './notify-event.ts';

/** Creates the store of notifications on an open connection. */
export const createNotificationStore = (database: Database): NotificationStore => ({
  notifyEvent: (event) => database.write(() => notifyEvent(database, event)),
});
