import type { JsonObject, JsonValue } from '../../base/json.ts';
import completions from './completions.json' with { type: 'json' };

/** Additions and changes that make an example valid against the published schema of its event. */
export interface Completion {
  readonly event: string;
  /** Values of `action` that it applies to; empty for an event without actions. */
  readonly actions: readonly string[];
  readonly changes: readonly ExampleChange[];
}

/** Sets a value, or removes it if there is none. */
export interface ExampleChange {
  /** Property names and array indexes, outermost first. */
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
}

/**
 * Completes an example according to the published schema of its event. Published examples are older than some
 * properties, and generated ones have empty values. `test/programs/complete-webhook-examples.ts` generates the table.
 */
export function completeExample(event: string, payload: JsonObject): JsonObject {
  const action = payload['action'];
  const found = (completions as readonly Completion[]).find(
    (one) =>
      one.event === event &&
      (typeof action === 'string' ? one.actions.includes(action) : one.actions.length === 0),
  );
  const completed = structuredClone(payload);
  for (const change of found?.changes ?? []) applyChange(completed, change);
  return completed;
}

function applyChange(payload: JsonObject, { path, value }: ExampleChange): void {
  const last = path.at(-1)!;
  let place: Record<string | number, JsonValue> = payload;
  for (const part of path.slice(0, -1)) place = place[part] as Record<string | number, JsonValue>;
  if (value === undefined) delete place[last];
  else place[last] = structuredClone(value);
}
