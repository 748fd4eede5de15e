import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { HookKind } from '../../contract/webhooks/events.ts';
import type { HookView } from '../../contract/webhooks/hook-views.ts';
import type { Hook } from '../outbound/ports.ts';

/** `type` of a hook in payloads and the API. */
export const hookTypes: Readonly<Record<HookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Enterprise',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** Returns the configuration of a hook for payloads and the API. The secret is masked. */
export const describeConfig = ({
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
export const describeHook = (hook: Hook): JsonObject => ({
  type: hookTypes[hook.kind],
  id: hook.id,
  name: 'web',
  active: hook.active,
  events: [...hook.events],
  config: describeConfig({ ...hook, hasSecret: hook.secrets.length > 0 }),
  created_at: toIso(hook.createdAt),
  updated_at: toIso(hook.updatedAt),
  ...(hook.kind === 'app' && { app_id: hook.targetId }),
});
