import { isAlias, isMap, isScalar, isSeq, type Document, type YAMLMap } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { anchorsOf, isMergeKey } from '../anchors/anchors.ts';

/** Values of anchors, shared by all aliases; without a value while it is being read. */
type AnchorValues = Map<unknown, { value?: JsonValue }>;

/**
 * Returns the value of a node as the engine reads it: aliases resolved, merged keys before own keys. Repeated values
 * are the same object, so that aliases cannot exhaust the memory; treat it as read-only.
 */
export function plainValue(
  document: Document.Parsed,
  node: unknown,
  seen: AnchorValues = new Map(),
): JsonValue {
  if (isAlias(node)) {
    const target = anchorsOf(document).targetOf(node)?.node;
    if (target === undefined) return null;
    const known = seen.get(target);
    if (known !== undefined) return known.value ?? null;
    const entry: { value?: JsonValue } = {};
    seen.set(target, entry);
    return (entry.value = plainValue(document, target, seen));
  }
  if (isMap(node)) return plainMap(document, node, seen);
  if (isSeq(node)) return node.items.map((item) => plainValue(document, item, seen));
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : (source ?? '');
}

function plainMap(document: Document.Parsed, map: YAMLMap, seen: AnchorValues): JsonValue {
  const ownValues = new Map<string, JsonValue>();
  const merged = new Map<string, JsonValue>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const plain = plainValue(document, value, seen);
    if (isMergeKey(key)) mergeInto(merged, plain);
    else if (!ownValues.has(String(key.value))) ownValues.set(String(key.value), plain);
  }
  const inherited = [...merged].filter(([key]) => !ownValues.has(key));
  return createObject([...inherited, ...ownValues]);
}

function mergeInto(merged: Map<string, JsonValue>, source: JsonValue): void {
  for (const map of Array.isArray(source) ? source : [source]) {
    if (map === null || typeof map !== 'object' || Array.isArray(map)) continue;
    for (const [key, value] of Object.entries(map)) if (!merged.has(key)) merged.set(key, value);
  }
}

/** Creates an object in which every key is an own property, including `__proto__`. */
export function createObject<Value>(entries: Iterable<readonly [string, Value]>): { [key: string]: Value } {
  const object: { [key: string]: Value } = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}
