import { parseExactJson } from '../../spec/expand/exact-json.ts';

/** A list or an object read from JSON whose numbers stay as written, instead of the nearest possible ones. */
export type JsonContainer = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Reads a JSON list or object; returns undefined for anything else, and for a value that is nested too deep. */
export function parseJsonContainer(text: string): JsonContainer | undefined {
  const start = /\S/.exec(text)?.[0];
  if (start !== '[' && start !== '{') return undefined;
  try {
    return parseExactJson(text) as JsonContainer;
  } catch {
    // Not JSON, or deeper than the stack allows.
    return undefined;
  }
}

/**
 * Returns a part of a container as a string: null is empty, strings and numbers are as written, anything else is
 * compact JSON.
 */
export function textOfJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
