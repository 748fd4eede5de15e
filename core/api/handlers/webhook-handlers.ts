import type { JsonObject } from '../../base/json.ts';
import { fieldError, AppError } from '../../base/errors.ts';
import type {
  MessageState,
  DeliveryDetailView,
  DeliveryView,
  HookView,
  MessageView,
} from '../../contract/webhook-views.ts';
import { toIso } from '../../base/clock.ts';
import { buildBody } from '../../webhooks/outbound/build-request.ts';
import type { Delivery, Webhook, ListedMessage, StoredEvent } from '../../store/types/webhooks.ts';
import type { Caller } from '../engine-api.ts';
import { type HandlersFor, parseCursor, parseTimestamp } from './handlers.ts';

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
    const { webhookEvents } = await import('../../webhooks/catalog.ts');
    return {
      events: webhookEvents.filter(({ availability }) => kind === undefined || availability.includes(kind)),
    };
  },
  'webhooks.list': async ({ limit = defaultPageSize, cursor, ...filter }, { webhooks }) => {
    const { store } = await webhooks();
    const records = await store.listWebhooks({ ...filter, beforeId: parseCursor(cursor), limit: limit + 1 });
    const page = records.slice(0, limit);
    return {
      hooks: page.map((webhook) => toWebhookView(webhook)),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.create': async (input, { webhooks }, caller) =>
    toWebhookView(await (await webhooks()).hooks.create(input, getName(caller))),
  'webhooks.get': async ({ hookId }, { webhooks }) => {
    const { hooks, store } = await webhooks();
    return toWebhookView(await hooks.get(hookId), await store.countMessages(hookId));
  },
  'webhooks.update': async ({ hookId, ...change }, { webhooks }) =>
    toWebhookView(await (await webhooks()).hooks.update(hookId, change)),
  'webhooks.delete': async ({ hookId }, { webhooks }, caller) =>
    toWebhookView(await (await webhooks()).hooks.delete(hookId, getName(caller))),
  'webhooks.rotateSecret': async ({ hookId, secret, overlapHours = 24 }, { webhooks }) =>
    toWebhookView(await (await webhooks()).hooks.rotateSecret(hookId, secret, overlapHours * hourMs)),
  'webhooks.ping': async ({ hookId }, { webhooks }, caller) => ({
    guid: await (await webhooks()).hooks.ping(hookId, getName(caller)),
  }),
  'webhooks.test': async ({ hookId }, { webhooks }) => (await webhooks()).test(hookId),
  'webhooks.emit': async ({ payload, ...options }, { webhooks }, caller) =>
    // The payload was parsed from JSON.
    (await webhooks()).emit({ ...options, payload: payload as JsonObject, by: getName(caller) }),
};

/** Returns the name of the user; undefined without authentication, in which case receivers see the ghost user. */
const getName = ({ user }: Caller): string | undefined => user?.username;

const allStates: readonly MessageState[] = ['waiting', 'sending', 'delivered', 'dead', 'dropped'];

/** Operations on deliveries of outgoing webhooks. */
export const webhookDeliveryHandlers: HandlersFor<
  | 'webhooks.deliveries'
  | 'webhooks.delivery'
  | 'webhooks.redeliver'
  | 'webhooks.replay'
  | 'webhooks.messages'
  | 'webhooks.retryMessage'
> = {
  'webhooks.deliveries': async ({ limit = defaultPageSize, cursor, ...filter }, { webhooks }) => {
    const { store, hooks } = await webhooks();
    await hooks.get(filter.hookId);
    const records = await store.listDeliveries({
      ...filter,
      beforeId: parseCursor(cursor),
      limit: limit + 1,
    });
    const page = records.slice(0, limit);
    return {
      deliveries: page.map(toDeliveryView),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.delivery': async ({ hookId, deliveryId }, { webhooks }) => {
    const opened = await webhooks();
    const { delivery, event } = await opened.delivery(hookId, deliveryId);
    return toDeliveryDetail(await opened.hooks.get(hookId), delivery, event);
  },
  'webhooks.redeliver': async ({ hookId, deliveryId }, { webhooks }) =>
    (await webhooks()).redeliver(hookId, deliveryId),
  'webhooks.replay': async ({ hookId, since, only = 'failed' }, { webhooks }) => {
    const from = parseTimestamp('since', since);
    if (from === undefined) throw fieldError('since', 'must not be empty');
    return { replayed: await (await webhooks()).replay(hookId, from, only === 'failed') };
  },
  'webhooks.messages': async ({ hookId, guid, state, limit = defaultPageSize, cursor }, { webhooks }) => {
    const { store } = await webhooks();
    const records = await store.listMessages({
      hookId,
      guid,
      states: toStates(state ?? (guid === undefined ? 'lost' : 'any')),
      beforeId: parseCursor(cursor),
      limit: limit + 1,
    });
    const page = records.slice(0, limit);
    return {
      messages: page.map(toMessageView),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.retryMessage': async ({ messageId }, { webhooks }) => (await webhooks()).retryMessage(messageId),
};

const toStates = (state: MessageState | 'lost' | 'any'): readonly MessageState[] => {
  if (state === 'any') return allStates;
  return state === 'lost' ? ['dead', 'dropped'] : [state];
};

/** Operations on example events, which are large and loaded on first use. */
export const webhookExampleHandlers: HandlersFor<'webhooks.example'> = {
  'webhooks.example': async ({ event, action }) => {
    const { findEvent } = await import('../../webhooks/catalog.ts');
    const known = findEvent(event);
    if (known === undefined)
      throw new AppError(
        'not_found',
        `Unknown event "${event}". Run "engine webhooks catalog" to see all events.`,
      );
    const { findExample } = await import('../../webhooks/example-payload.ts');
    return findExample(known, action);
  },
};

/** Returns a webhook without its secrets. */
function toWebhookView(webhook: Webhook, messages?: HookView['messages']): HookView {
  const { secrets, targetId, options, failingSince, disabledReason, lastResponse } = webhook;
  const former = secrets.find(({ until }) => until !== undefined)?.until;
  return {
    id: webhook.id,
    kind: webhook.kind,
    owner: webhook.owner,
    targetId,
    url: webhook.url,
    format: webhook.format,
    verifyTls: webhook.verifyTls,
    active: webhook.active,
    hasSecret: secrets.length > 0,
    events: [...webhook.events],
    options,
    createdAt: toIso(webhook.createdAt),
    updatedAt: toIso(webhook.updatedAt),
    lastResponse: lastResponse ?? { code: null, status: 'unused', message: null },
    ...(former !== undefined && { formerSecretUntil: toIso(former) }),
    ...(failingSince !== undefined && { failingSince: toIso(failingSince) }),
    ...(disabledReason !== undefined && { disabledReason }),
    ...(messages !== undefined && { messages }),
  };
}

/** Converts an attempt to its list view. */
const toDeliveryView = (delivery: Delivery): DeliveryView => ({
  id: delivery.id,
  messageId: delivery.messageId,
  guid: delivery.guid,
  event: delivery.event,
  action: delivery.action,
  deliveredAt: toIso(delivery.at),
  redelivery: delivery.redelivery,
  durationMs: delivery.durationMs,
  delivered: delivery.delivered,
  status: delivery.status,
  statusCode: delivery.statusCode,
  installationId: delivery.installationId,
  repositoryId: delivery.repositoryId,
});

/** Converts an attempt to its detail view, with its request, whose body is built again, and its response. */
const toDeliveryDetail = (webhook: Webhook, delivery: Delivery, event: StoredEvent): DeliveryDetailView => ({
  ...toDeliveryView(delivery),
  url: delivery.url,
  request: {
    headers: { ...delivery.requestHeaders },
    body: buildBody({ ...webhook, format: getFormat(delivery) }, event).bytes.toString('utf8'),
  },
  ...(delivery.response && {
    response: { ...delivery.response, headers: { ...delivery.response.headers } },
  }),
});

/** The format of the webhook may have changed since the delivery. */
const getFormat = ({ requestHeaders }: Delivery): Webhook['format'] =>
  requestHeaders['Content-Type'] === 'application/json' ? 'json' : 'form';

/** Converts a message to its list view. */
const toMessageView = (message: ListedMessage): MessageView => ({
  id: message.id,
  hookId: message.hookId,
  guid: message.guid,
  event: message.event,
  action: message.action,
  state: message.state,
  attempts: message.attempts,
  dueAt: toIso(message.dueAt),
  redelivery: message.redelivery,
  createdAt: toIso(message.createdAt),
  reason: message.reason,
});
