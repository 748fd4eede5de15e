import type { JsonValue } from '../../base/json.ts';

/** A value of the file with its position. Aliases share nodes, so nodes must not be changed. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** Offset of its first character. */
  readonly start: number;
  readonly value: string | number | boolean | null;
  /** A number as written (`007`, `1.10`), so that it can be used as a string; else the value as a string. */
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
  /** Keys were rejected and removed, so a missing key is not a separate error. */
  readonly incomplete?: boolean;
}

export interface MapEntry {
  /** Offset of the key. */
  readonly keyStart: number;
  readonly node: SourceNode;
  /** The key as written in the file, if it was renamed. */
  readonly written?: string;
}

/** A node with its path. */
export interface SourceRef {
  readonly node: SourceNode;
  /** Field path such as `steps[2].retryPolicy.limit`. */
  readonly path: string;
}

/** Returns the source of a map value or list item, or the parent if there is no such child. */
export function fieldOf(parent: SourceRef, key: string | number): SourceRef {
  return findField(parent, key) ?? parent;
}

/** Returns the source of a map value or list item, if it exists. */
export function findField({ node, path }: SourceRef, key: string | number): SourceRef | undefined {
  if (node.kind === 'scalar') return undefined;
  const child = node.kind === 'list' ? node.items[Number(key)] : node.entries.get(String(key))?.node;
  return child && { node: child, path: joinPath(path, node.kind === 'list' ? Number(key) : String(key)) };
}

/** Whether keys of this map were rejected and removed. */
export function isIncomplete({ node }: SourceRef): boolean {
  return node.kind === 'map' && node.incomplete === true;
}

/** Returns the offset of an entry's key, or of the map if there is no such entry. */
export function keyStartOf(node: SourceNode, key: string): number {
  return (node.kind === 'map' ? node.entries.get(key)?.keyStart : undefined) ?? node.start;
}

/** Longer keys are truncated in paths, because each diagnostic has a path. */
const MAX_KEY_SHOWN = 200;

/** Appends a key to a path: `steps` + 2 → `steps[2]`; `env` + `A B` → `env["A B"]`. */
export function joinPath(path: string, written: string | number): string {
  if (typeof written === 'number') return `${path}[${written}]`;
  const key = written.length > MAX_KEY_SHOWN ? `${written.slice(0, MAX_KEY_SHOWN)}…` : written;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Returns the plain value of a node. Every key becomes an own property, including `__proto__`. */
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

/** Returns a scalar as the string that an environment variable or parameter receives. Null is empty. */
export function textOf(node: SourceNode): string {
  return node.kind === 'scalar' ? node.text : '';
}
