import { isJsonObject, parseExactJson } from './exact-json.ts';
import type { PathElement } from './segment.ts';

/** Where a path ends inside a JSON text. */
export type PathResult =
  | { readonly kind: 'found'; readonly text: string }
  /** `at`: index of the first element that is not there. */
  | { readonly kind: 'missing'; readonly at: number }
  /** The text is not JSON (`at` 0), or element `at` asks for a part of something that has no such parts. */
  | { readonly kind: 'unreadable'; readonly at: number };

/** JSON texts already parsed, since a template may look into a large one many times. */
export type JsonCache = Map<string, { readonly value: unknown } | undefined>;

/** Follows a path into a JSON text. Null is the empty text; objects and arrays are compact JSON. */
export function readPath(json: string, path: readonly PathElement[], cache: JsonCache): PathResult {
  const parsed = parseOnce(json, cache);
  if (parsed === undefined) return { kind: 'unreadable', at: 0 };
  let value = parsed.value;
  for (const [at, { key }] of path.entries()) {
    if (value === null) return { kind: 'missing', at };
    // An output of a sub-workflow may be the text of further JSON.
    const container = typeof value === 'string' ? parseOnce(value, cache)?.value : value;
    const part = readPart(container, at + 1 < path.length ? partWithPath(container, key) : key);
    if (typeof part === 'string') return { kind: part, at };
    value = part.value;
  }
  return format(value);
}

/**
 * The key under which a longer path goes on. The output of a sub-workflow has its parameters as a string in `params`,
 * as Dagu writes them, and as an object in `paramsMap`: `${RESULT.params.A}` is a part of the object.
 */
function partWithPath(container: unknown, key: string | number): string | number {
  if (key !== 'params' || !isJsonObject(container) || typeof container['params'] !== 'string') return key;
  return isJsonObject(container['paramsMap']) ? 'paramsMap' : key;
}

function readPart(container: unknown, key: string | number): { value: unknown } | 'missing' | 'unreadable' {
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

/** Reading others exactly only takes longer. */
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
    // Nested deeper than the stack; nobody wants that inside a text.
    return { kind: 'unreadable', at: 0 };
  }
}
