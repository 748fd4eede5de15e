import type { JsonObject } from '../../base/json.ts';

/** What a payload tells besides what has happened, because of who is told. */
export interface PayloadAdditions {
  /** Where it happened, of an event that is kept without it. */
  readonly repository?: JsonObject | undefined;
  readonly installation?: JsonObject | undefined;
  readonly organization?: JsonObject | undefined;
  readonly enterprise?: JsonObject | undefined;
}

/**
 * The JSON that a hook gets: the payload of the event, and the common properties that it lacks (installation for apps,
 * organization and enterprise for activity there).
 */
export function addToPayload(json: string, additions: PayloadAdditions): string {
  const entries = Object.entries(additions).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return json;
  const payload = JSON.parse(json) as JsonObject;
  const missing = entries.filter(([name]) => payload[name] === undefined);
  return missing.length === 0 ? json : JSON.stringify({ ...payload, ...Object.fromEntries(missing) });
}
