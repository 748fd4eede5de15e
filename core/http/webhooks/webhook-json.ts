import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { DeliveryDetailView, DeliveryView, HookView } from '../../contract/webhooks/webhook-views.ts';
import { describeConfig, webhookTypes } from '../../webhooks/subscriptions/describe-webhook.ts';

/** Returns a hook in the format of this API. `at` returns a URL below the hook. */
export const toWebhookJson = (webhook: HookView, at: (below: string) => string): JsonObject => ({
  type: webhookTypes[webhook.kind],
  id: webhook.id,
  name: 'web',
  active: webhook.active,
  events: [...webhook.events],
  config: describeConfig(webhook),
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
  url: at(''),
  ping_url: at('/pings'),
  deliveries_url: at('/deliveries'),
  ...(webhook.kind === 'repository' && {
    test_url: at('/tests'),
    last_response: { ...webhook.lastResponse },
  }),
});

/** Returns a listed delivery; durations are in seconds. */
export const toDeliveryJson = (delivery: DeliveryView): JsonObject => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: delivery.deliveredAt,
  redelivery: delivery.redelivery,
  duration: delivery.durationMs / 1000,
  status: delivery.status,
  status_code: delivery.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action ?? null,
  installation_id: delivery.installationId ?? null,
  repository_id: delivery.repositoryId ?? null,
  throttled_at: null,
});

/** Returns a delivery with its request and response. */
export const toDeliveryDetailJson = (delivery: DeliveryDetailView): JsonObject => ({
  ...toDeliveryJson(delivery),
  url: delivery.url,
  request: { headers: delivery.request.headers, payload: readPayload(delivery.request) },
  response: {
    headers: delivery.response?.headers ?? {},
    payload: delivery.response?.body ?? '',
  },
});

function readPayload({ headers, body }: DeliveryDetailView['request']): JsonValue {
  const isJson = headers['Content-Type'] === 'application/json';
  return JSON.parse(isJson ? body : (new URLSearchParams(body).get('payload') ?? 'null')) as JsonValue;
}
