import { toIso } from '../../../base/clock.ts';
import type {
  DeliveryDetailView,
  DeliveryView,
  HookView,
  MessageView,
} from '../../../contract/webhooks/hook-views.ts';
import { buildBody } from '../../../webhooks/outbound/build-request.ts';
import type { Delivery, Hook, ListedMessage, StoredEvent } from '../../../webhooks/outbound/ports.ts';

/** Returns a webhook without its secrets. */
export function toHookView(hook: Hook, messages?: HookView['messages']): HookView {
  const { secrets, targetId, options, failingSince, disabledReason, lastResponse } = hook;
  const former = secrets.find(({ until }) => until !== undefined)?.until;
  return {
    id: hook.id,
    kind: hook.kind,
    owner: hook.owner,
    targetId,
    url: hook.url,
    format: hook.format,
    verifyTls: hook.verifyTls,
    active: hook.active,
    hasSecret: secrets.length > 0,
    events: [...hook.events],
    options,
    createdAt: toIso(hook.createdAt),
    updatedAt: toIso(hook.updatedAt),
    lastResponse: lastResponse ?? { code: null, status: 'unused', message: null },
    ...(former !== undefined && { formerSecretUntil: toIso(former) }),
    ...(failingSince !== undefined && { failingSince: toIso(failingSince) }),
    ...(disabledReason !== undefined && { disabledReason }),
    ...(messages !== undefined && { messages }),
  };
}

/** Converts an attempt to its list view. */
export const toDeliveryView = (delivery: Delivery): DeliveryView => ({
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
export const toDeliveryDetail = (hook: Hook, delivery: Delivery, event: StoredEvent): DeliveryDetailView => ({
  ...toDeliveryView(delivery),
  url: delivery.url,
  request: {
    headers: { ...delivery.requestHeaders },
    body: buildBody({ ...hook, format: formatOf(delivery) }, event).bytes.toString('utf8'),
  },
  ...(delivery.response && {
    response: { ...delivery.response, headers: { ...delivery.response.headers } },
  }),
});

/** The format of the webhook may have changed since the delivery. */
const formatOf = ({ requestHeaders }: Delivery): Hook['format'] =>
  requestHeaders['Content-Type'] === 'application/json' ? 'json' : 'form';

/** Converts a message to its list view. */
export const toMessageView = (message: ListedMessage): MessageView => ({
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
