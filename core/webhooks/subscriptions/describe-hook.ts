import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { HookKind } from '../../contract/webhooks/events.ts';
import type { HookView } from '../../contract/webhooks/hook-views.ts';
import type { Hook } from '../outbound/ports.ts';

/** `type` of a hook, as receivers and callers know it. */
export const hookTypes: Readonly<Record<HookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Enterprise',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** The configuration of a hook as receivers and callers know it; a secret is there or not, and never shown. */
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

/** A hook as the payloads of `ping` and `meta` show it. */
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
