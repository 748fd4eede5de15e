import type { JsonValue } from '../../base/json.ts';

/** A value of the file that knows where it stands. Aliases share nodes, so nodes are never changed. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** Offset of its first character. */
  readonly start: number;
  readonly value: string | number | boolean | null;
  /** A number as the file spells it (`007`, `1.10`), so that it can serve as text; else the value as text. */
  readonly text: string;
}

export interface ListNode {
  readonly kind: 'list';
  readonly start: number;
  readonly items: readonly SourceNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly start: number;
  /** In the order of the file. */
  readonly entries: ReadonlyMap<string, MapEntry>;
  /** Keys were refused and left out, so that what is missing is no mistake of its own. */
  readonly incomplete?: boolean;
}

export interface MapEntry {
  /** Offset of the key. */
  readonly keyStart: number;
  readonly node: SourceNode;
  /** The key as it is in the file, after keys were rewritten. */
  readonly written?: string;
}

/** A node together with the way to it. */
export interface Place {
  readonly node: SourceNode;
  /** Field path such as `steps[2].retryPolicy.limit`. */
  readonly path: string;
}

/** The place of a map's value or a list's item; the place itself when there is no such child. */
export function placeOf(parent: Place, key: string | number): Place {
  return findPlace(parent, key) ?? parent;
}

/** The place of a map's value or a list's item, if there is one. */
export function findPlace({ node, path }: Place, key: string | number): Place | undefined {
  if (node.kind === 'scalar') return undefined;
  const child = node.kind === 'list' ? node.items[Number(key)] : node.entries.get(String(key))?.node;
  return child && { node: child, path: joinPath(path, node.kind === 'list' ? Number(key) : String(key)) };
}

/** Whether keys of this map were refused and left out. */
export function isIncomplete({ node }: Place): boolean {
  return node.kind === 'map' && node.incomplete === true;
}

/** Offset of the key of an entry; of the map when there is no such entry. */
export function keyStartOf(node: SourceNode, key: string): number {
  return (node.kind === 'map' ? node.entries.get(key)?.keyStart : undefined) ?? node.start;
}

/** Longer keys are cut in paths: each diagnostic has one. */
const MAX_KEY_SHOWN = 200;

/** `steps` + 2 → `steps[2]`; `env` + `A B` → `env["A B"]`. */
export function joinPath(path: string, written: string | number): string {
  if (typeof written === 'number') return `${path}[${written}]`;
  const key = written.length > MAX_KEY_SHOWN ? `${written.slice(0, MAX_KEY_SHOWN)}…` : written;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The plain value of a node. Every key of the file becomes an own property, `__proto__` too. */
export function toValue(node: SourceNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  const value: { [key: string]: JsonValue } = {};
  for (const [key, entry] of node.entries) {
    if (key !== '__proto__') value[key] = toValue(entry.node);
    else
      Object.defineProperty(value, key, { value: toValue(entry.node), enumerable: true, configurable: true });
  }
  return value;
}

/** A scalar as text: what an environment variable or a parameter gets. Null is empty. */
export function textOf(node: SourceNode): string {
  return node.kind === 'scalar' ? node.text : '';
}
