import { isJsonObject, parseExactJson } from './exact-json.ts';
import type { PathElement } from './segment.ts';

/** Result of following a path into a JSON string. */
export type PathResult =
  | { readonly kind: 'found'; readonly text: string }
  /** `at`: index of the first element that does not exist. */
  | { readonly kind: 'missing'; readonly at: number }
  /** The string is not JSON (`at` 0), or element `at` indexes into a scalar. */
  | { readonly kind: 'unreadable'; readonly at: number };

/** Parsed JSON strings, because a template may refer to a large one many times. */
export type JsonCache = Map<string, { readonly value: unknown } | undefined>;

/** Follows a path into a JSON string. Null is the empty string; objects and arrays are compact JSON. */
export function readPath(json: string, path: readonly PathElement[], cache: JsonCache): PathResult {
  const parsed = parseOnce(json, cache);
  if (parsed === undefined) return { kind: 'unreadable', at: 0 };
  let value = parsed.value;
  for (const [at, { key }] of path.entries()) {
    if (value === null) return { kind: 'missing', at };
    // An output of a sub-workflow may itself be a JSON string.
    const container = typeof value === 'string' ? parseOnce(value, cache)?.value : value;
    const part = readProperty(container, at + 1 < path.length ? keyForPath(container, key) : key);
    if (typeof part === 'string') return { kind: part, at };
    value = part.value;
  }
  return format(value);
}

/**
 * Returns the key to use if the path continues. The output of a sub-workflow has its parameters as a string in
 * `params`, in Dagu's format, and as an object in `paramsMap`: `${RESULT.params.A}` reads from the object.
 */
function keyForPath(container: unknown, key: string | number): string | number {
  if (key !== 'params' || !isJsonObject(container) || typeof container['params'] !== 'string') return key;
  return isJsonObject(container['paramsMap']) ? 'paramsMap' : key;
}

function readProperty(
  container: unknown,
  key: string | number,
): { value: unknown } | 'missing' | 'unreadable' {
  if (Array.isArray(container) && typeof key === 'number') {
    const index = key < 0 ? container.length + key : key;
    return index >= 0 && index < container.length ? { value: container[index] as unknown } : 'missing';
  }
  if (!isJsonObject(container) || typeof key === 'number') return 'unreadable';
  return Object.hasOwn(container, key) ? { value: container[key] } : 'missing';
}

function parseOnce(json: string, cache: JsonCache): { readonly value: unknown } | undefined {
  if (!cache.has(json)) cache.set(json, parse(json));
  return cache.get(json);
}

/** Numbers that need exact parsing, which is slower. */
const mayLoseDigits = /[0-9]{16}|[0-9][.eE]/;

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: mayLoseDigits.test(json) ? parseExactJson(json) : (JSON.parse(json) as unknown) };
  } catch {
    return undefined;
  }
}

function format(value: unknown): PathResult {
  if (value === null) return { kind: 'found', text: '' };
  if (typeof value === 'string') return { kind: 'found', text: value };
  try {
    return { kind: 'found', text: JSON.stringify(value) };
  } catch {
    // Nesting deeper than the stack is not supported.
    return { kind: 'unreadable', at: 0 };
  }
}
