/** A part of a JSON value, prepared for display. */
export type JsonNode =
  | { readonly kind: 'value'; readonly type: 'string' | 'number' | 'boolean' | 'null'; readonly text: string }
  | {
      readonly kind: 'list' | 'object';
      /** Number of items, including those that `entries` omits. */
      readonly size: number;
      readonly entries: readonly (readonly [key: string, node: JsonNode])[];
    };

/** A value of 25 MB can have millions of parts. The page receives only this many. */
const maxNodes = 20_000;
const maxEntries = 1_000;
const maxTextLength = 5_000;

interface OpenContainer {
  readonly entries: [string, JsonNode][];
  readonly content: object;
}

/** Prepares a value for display, level by level up to a maximum number of nodes. */
export function toJsonNode(value: unknown): JsonNode {
  let count = 0;
  const waiting: OpenContainer[] = [];
  const make = (content: unknown): JsonNode => {
    count += 1;
    if (typeof content !== 'object' || content === null) return toLeaf(content);
    const entries: [string, JsonNode][] = [];
    waiting.push({ entries, content });
    return Array.isArray(content)
      ? { kind: 'list', size: content.length, entries }
      : { kind: 'object', size: Object.keys(content).length, entries };
  };
  const root = make(value);
  for (let index = 0; index < waiting.length; index += 1) {
    const { entries, content } = waiting[index]!;
    for (const key of Object.keys(content).slice(0, maxEntries)) {
      if (count >= maxNodes) return root;
      entries.push([key, make((content as Record<string, unknown>)[key])]);
    }
  }
  return root;
}

function toLeaf(value: unknown): JsonNode {
  if (typeof value === 'string')
    return { kind: 'value', type: 'string', text: shorten(JSON.stringify(value)) };
  if (value === null || value === undefined) return { kind: 'value', type: 'null', text: 'null' };
  return {
    kind: 'value',
    type: typeof value === 'number' ? 'number' : 'boolean',
    text: JSON.stringify(value),
  };
}

const shorten = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;

/** Parses JSON whose root is a list or an object, as workflow outputs are strings. Undefined for anything else. */
export function parseContainer(value: unknown): JsonNode | undefined {
  if (typeof value === 'object' && value !== null) return toJsonNode(value);
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return toJsonNode(JSON.parse(value));
  } catch {
    return undefined;
  }
}
