import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { HookKind } from '../../contract/webhook-events.ts';
import type { Hook } from '../outbound/ports.ts';

const types: Readonly<Record<HookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Business',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** The configuration of a hook as receivers and callers know it; a secret is never shown. */
export const describeConfig = ({ url, format, secrets, verifyTls }: Hook): JsonObject => ({
  url,
  content_type: format,
  insecure_ssl: verifyTls ? '0' : '1',
  ...(secrets.length > 0 && { secret: '********' }),
});

/** A hook as the payloads of `ping` and `meta` show it (seed 2, Event-specific facts). */
export const describeHook = (hook: Hook): JsonObject => ({
  type: types[hook.kind],
  id: hook.id,
  name: 'web',
  active: hook.active,
  events: [...hook.events],
  config: describeConfig(hook),
  created_at: toIso(hook.createdAt),
  updated_at: toIso(hook.updatedAt),
  ...(hook.kind === 'app' && { app_id: hook.targetId }),
});
