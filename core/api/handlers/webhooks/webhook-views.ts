import { toIso } from '../../../base/clock.ts';
import type {
  DeliveryDetailView,
  DeliveryView,
  HookView,
  MessageView,
} from '../../../contract/webhooks/webhook-views.ts';
import { buildBody } from '../../../webhooks/outbound/build-request.ts';
import type { Delivery, Webhook, ListedMessage, StoredEvent } from '../../../webhooks/outbound/ports.ts';

/** Returns a webhook without its secrets. */
export function toWebhookView(webhook: Webhook, messages?: HookView['messages']): HookView {
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
export const toDeliveryDetail = (
  webhook: Webhook,
  delivery: Delivery,
  event: StoredEvent,
): DeliveryDetailView => ({
  ...toDeliveryView(delivery),
  url: delivery.url,
  request: {
    headers: { ...delivery.requestHeaders },
    body: buildBody({ ...webhook, format: formatOf(delivery) }, event).bytes.toString('utf8'),
  },
  ...(delivery.response && {
    response: { ...delivery.response, headers: { ...delivery.response.headers } },
  }),
});

/** The format of the webhook may have changed since the delivery. */
const formatOf = ({ requestHeaders }: Delivery): Webhook['format'] =>
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
