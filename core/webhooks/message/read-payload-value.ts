import type { JsonObject, JsonValue } from '../../base/json.ts';

/** What stands in a payload under names within names; undefined where one of them is missing or holds no object. */
export function readPayloadValue(payload: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[key];
  }
  return value;
}
