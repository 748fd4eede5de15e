import { toIso } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { WebhookKind, HookView } from '../contract/webhook-views.ts';
import type { Webhook } from '../store/types/webhooks.ts';

/** `type` of a hook in payloads and the API. */
export const webhookTypes: Readonly<Record<WebhookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Enterprise',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** Returns the configuration of a hook for payloads and the API. The secret is masked. */
export const toWebhookConfig = ({
  url,
  format,
  verifyTls,
  hasSecret,
}: Pick<HookView, 'url' | 'format' | 'verifyTls' | 'hasSecret'>): JsonObject => ({
  url,
  content_type: format,
  insecure_ssl: verifyTls ? '0' : '1',
  ...(hasSecret && { secret: '********' }),
});

/** Returns a hook as in the payloads of `ping` and `meta`. */
export const toWebhookObject = (webhook: Webhook): JsonObject => ({
  type: webhookTypes[webhook.kind],
  id: webhook.id,
  name: 'web',
  active: webhook.active,
  events: [...webhook.events],
  config: toWebhookConfig({ ...webhook, hasSecret: webhook.secrets.length > 0 }),
  created_at: toIso(webhook.createdAt),
  updated_at: toIso(webhook.updatedAt),
  ...(webhook.kind === 'app' && { app_id: webhook.targetId }),
});
