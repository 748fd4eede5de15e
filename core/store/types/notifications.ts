import type { NotificationEvent } from '../../model/notification.ts';

/** Events for the notification rules. */
export interface NotificationStore {
  /** Stores an event for the notification rules. Stores nothing while there are no channels. */
  notifyEvent(event: NotificationEvent): void;
}
