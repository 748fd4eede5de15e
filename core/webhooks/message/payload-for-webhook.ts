import type { JsonObject } from '../../base/json.ts';

/** Additional payload properties for a specific hook. */
export interface PayloadAdditions {
  /** Repository, for an event that was stored without it. */
  readonly repository?: JsonObject | undefined;
  readonly installation?: JsonObject | undefined;
  readonly organization?: JsonObject | undefined;
  readonly enterprise?: JsonObject | undefined;
}

/**
 * Returns the JSON for a hook: the payload with missing common properties added (installation for apps, organization
 * and enterprise for events there).
 */
export function addToPayload(json: string, additions: PayloadAdditions): string {
  const entries = Object.entries(additions).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return json;
  const payload = JSON.parse(json) as JsonObject;
  const missing = entries.filter(([name]) => payload[name] === undefined);
  return missing.length === 0 ? json : JSON.stringify({ ...payload, ...Object.fromEntries(missing) });
}
