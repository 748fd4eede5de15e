import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { HookKind } from '../../contract/webhook-events.ts';
import type { DeliveryDetailView, DeliveryView, HookView } from '../../contract/webhook-views.ts';

const types: Readonly<Record<HookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Enterprise',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** The configuration of a hook; a secret is there or not, and never shown. */
export const toConfigJson = ({ url, format, verifyTls, hasSecret }: HookView): JsonObject => ({
  url,
  content_type: format,
  insecure_ssl: verifyTls ? '0' : '1',
  ...(hasSecret && { secret: '********' }),
});

/** A hook as clients of this API know it (peer 1.6). `at` is the address of the hook. */
export const toHookJson = (hook: HookView, at: string): JsonObject => ({
  type: types[hook.kind],
  id: hook.id,
  name: 'web',
  active: hook.active,
  events: [...hook.events],
  config: toConfigJson(hook),
  created_at: hook.createdAt,
  updated_at: hook.updatedAt,
  url: at,
  ping_url: `${at}/pings`,
  deliveries_url: `${at}/deliveries`,
  ...(hook.kind === 'repository' && { test_url: `${at}/tests`, last_response: { ...hook.lastResponse } }),
});

/** A delivery in a list; durations are in seconds. */
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

/** The same with its request and response. */
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
