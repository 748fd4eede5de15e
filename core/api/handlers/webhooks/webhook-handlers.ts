import type { JsonObject } from '../../../base/json.ts';
import type { Caller } from '../../engine-host.ts';
import type { HandlersFor } from '../handlers.ts';
import { toWebhookView } from './webhook-views.ts';
import { parseCursor } from '../cursor.ts';

const defaultPageSize = 50;
const hourMs = 3_600_000;

/** Operations on outgoing webhooks. */
export const webhookHandlers: HandlersFor<
  | 'webhooks.catalog'
  | 'webhooks.list'
  | 'webhooks.create'
  | 'webhooks.get'
  | 'webhooks.update'
  | 'webhooks.delete'
  | 'webhooks.rotateSecret'
  | 'webhooks.ping'
  | 'webhooks.test'
  | 'webhooks.emit'
> = {
  'webhooks.catalog': async ({ kind }) => {
    const { webhookEvents } = await import('../../../webhooks/catalog/catalog.ts');
    return {
      events: webhookEvents.filter(({ availability }) => kind === undefined || availability.includes(kind)),
    };
  },
  'webhooks.list': async ({ limit = defaultPageSize, cursor, ...filter }, { webhooks }) => {
    const { store } = await webhooks();
    const records = store.listWebhooks({ ...filter, beforeId: parseCursor(cursor), limit: limit + 1 });
    const page = records.slice(0, limit);
    return {
      hooks: page.map((webhook) => toWebhookView(webhook)),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.create': async (input, { webhooks }, caller) =>
    toWebhookView((await webhooks()).hooks.create(input, nameOf(caller))),
  'webhooks.get': async ({ hookId }, { webhooks }) => {
    const { hooks, store } = await webhooks();
    return toWebhookView(hooks.get(hookId), store.countMessages(hookId));
  },
  'webhooks.update': async ({ hookId, ...change }, { webhooks }) =>
    toWebhookView((await webhooks()).hooks.update(hookId, change)),
  'webhooks.delete': async ({ hookId }, { webhooks }, caller) =>
    toWebhookView((await webhooks()).hooks.delete(hookId, nameOf(caller))),
  'webhooks.rotateSecret': async ({ hookId, secret, overlapHours = 24 }, { webhooks }) =>
    toWebhookView((await webhooks()).hooks.rotateSecret(hookId, secret, overlapHours * hourMs)),
  'webhooks.ping': async ({ hookId }, { webhooks }, caller) => ({
    guid: (await webhooks()).hooks.ping(hookId, nameOf(caller)),
  }),
  'webhooks.test': async ({ hookId }, { webhooks }) => (await webhooks()).test(hookId),
  'webhooks.emit': async ({ payload, ...options }, { webhooks }, caller) =>
    // The payload was parsed from JSON.
    (await webhooks()).emit({ ...options, payload: payload as JsonObject, by: nameOf(caller) }),
};

/** Returns the name of the user; undefined without authentication, in which case receivers see the ghost user. */
const nameOf = ({ user }: Caller): string | undefined => user?.username;
