import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { DeliveryDetailView, DeliveryView, HookView } from '../../contract/webhooks/hook-views.ts';
import { describeConfig, hookTypes } from '../../webhooks/subscriptions/describe-hook.ts';

/** Returns a hook in the format of this API. `at` returns a URL below the hook. */
export const toHookJson = (hook: HookView, at: (below: string) => string): JsonObject => ({
  type: hookTypes[hook.kind],
  id: hook.id,
  name: 'web',
  active: hook.active,
  events: [...hook.events],
  config: describeConfig(hook),
  created_at: hook.createdAt,
  updated_at: hook.updatedAt,
  url: at(''),
  ping_url: at('/pings'),
  deliveries_url: at('/deliveries'),
  ...(hook.kind === 'repository' && { test_url: at('/tests'), last_response: { ...hook.lastResponse } }),
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
