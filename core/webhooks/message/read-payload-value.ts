import type { JsonObject, JsonValue } from '../../base/json.ts';

/** Returns the value at a path of names; undefined if a part is missing or not an object. */
export function readPayloadValue(payload: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[key];
  }
  return value;
}
