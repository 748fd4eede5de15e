import { parseExactJson } from '../../spec/expand/exact-json.ts';

/** A list or an object read from JSON text whose numbers are those that were written, not the nearest possible ones. */
export type JsonContainer = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Reads a JSON list or object; undefined when the text is anything else, or is nested too deep to be handled. */
export function parseJsonContainer(text: string): JsonContainer | undefined {
  const start = /\S/.exec(text)?.[0];
  if (start !== '[' && start !== '{') return undefined;
  try {
    return parseExactJson(text) as JsonContainer;
  } catch {
    // No JSON, or deeper than the stack.
    return undefined;
  }
}

/** A part of a container as text: null is empty, texts and numbers are as written, anything else is compact JSON. */
export function textOfJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
