import type { WebhookStore } from '../types/webhooks.ts';
import type { Database } from '../database/database.ts';
import type { Operations } from '../open-store.ts';
import { exchange, findDelivery, listDeliveries, purgeWebhooks } from './deliveries.ts';
import { addEvents, findEvent, findLatestEvent, listNewEvents } from './events.ts';
import {
  allWebhooks,
  createWebhook,
  deleteWebhook,
  findWebhook,
  webhookVersion,
  listWebhooks,
  updateWebhook,
} from './webhooks.ts';
import {
  addMessages,
  addRedelivery,
  countMessages,
  findMessage,
  listDue,
  listMessages,
  nextDue,
  release,
  replay,
  returnClaimed,
} from './messages.ts';

/** Creates the store of outgoing webhooks on an open connection. */
export const createWebhookStore = (database: Database): Operations<WebhookStore> => ({
  createWebhook: (settings, at) => createWebhook(database, settings, at),
  updateWebhook: (id, settings, at) => updateWebhook(database, id, settings, at),
  deleteWebhook: (id, at, deletedEvent) => deleteWebhook(database, id, at, deletedEvent),
  findWebhook: (id) => findWebhook(database, id),
  listWebhooks: (filter) => listWebhooks(database, filter),
  allWebhooks: () => allWebhooks(database),
  webhookVersion: () => webhookVersion(database),
  addEvents: (events, at) => addEvents(database, events, at),
  listNewEvents: (limit) => listNewEvents(database, limit),
  findEvent: (id) => findEvent(database, id),
  findLatestEvent: (event, repository) => findLatestEvent(database, event, repository),
  addMessages: (batches, at) => addMessages(database, batches, at),
  addRedelivery: (options, at) => addRedelivery(database, options, at),
  replay: (options, at) => replay(database, options, at),
  listDue: () => listDue(database),
  nextDue: (hookId, ordered) => nextDue(database, hookId, ordered),
  exchange: (done, claimRequest) => exchange(database, done, claimRequest),
  returnClaimed: (epoch, at) => returnClaimed(database, epoch, at),
  release: (messageIds, epoch) => release(database, messageIds, epoch),
  findMessage: (id) => findMessage(database, id),
  listMessages: (filter) => listMessages(database, filter),
  findDelivery: (hookId, id) => findDelivery(database, hookId, id),
  listDeliveries: (filter) => listDeliveries(database, filter),
  countMessages: (hookId) => countMessages(database, hookId),
  purge: (before, max) => purgeWebhooks(database, before, max),
});
