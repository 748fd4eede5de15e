import type { JsonObject, JsonValue } from '../../base/json.ts';
import completions from './completions.json' with { type: 'json' };

/** What an example lacks, or has otherwise than the published schema of its event says. */
export interface Completion {
  readonly event: string;
  /** Values of `action` that it is for; none for an event without actions. */
  readonly actions: readonly string[];
  readonly changes: readonly ExampleChange[];
}

/** Sets one value, or removes it when there is none. */
export interface ExampleChange {
  /** Names of properties and numbers of entries, from the outside in. */
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
}

/**
 * Adds to an example what the published schema of its event asks for: published examples are older than some
 * properties, and those that are made up have empty values. `test/programs/complete-webhook-examples.ts` writes the table.
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
