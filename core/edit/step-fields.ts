import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Scalar, type YAMLMap } from 'yaml';
import { canonicalName, type FieldOwner } from '../spec/foreign-fields.ts';
import { MAX_DEPENDENCIES } from '../spec/limits.ts';
import { getAnchors, isMergeKey } from './yaml/walk.ts';
import type { StepDraft } from './read-steps.ts';

/** A field of a map, found by its canonical name. */
export interface Field {
  /** The key as written. */
  readonly key: string;
  readonly keyNode: Scalar;
  /** The value with aliases resolved; null if it is empty. */
  readonly value: Node | null;
  /** The node as written, which may be an alias. */
  readonly written: Node | null;
  /** The field comes from a merge key (`<<`) and is not written in this map. */
  readonly isMerged: boolean;
  /** For a merged field, the map that contains it. */
  readonly source?: YAMLMap;
}

/** Resolves aliases; returns null for an unresolved alias. */
export function resolveNode(node: unknown, document: Document.Parsed): Node | null {
  if (isAlias(node)) return getAnchors(document).getTarget(node)?.node ?? null;
  return isScalar(node) || isMap(node) || isSeq(node) ? node : null;
}

/** Returns a scalar as a string, numbers as written; undefined for any other node and for an empty one. */
export function getNodeText(node: Node | null | undefined): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

/** Returns a key as a string. */
export const getKeyText = (key: unknown): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? '')) : '';

/**
 * Reads the fields of a map by canonical name. For duplicates, the first one is used, and own keys take precedence
 * over merged ones.
 */
export function readFields(
  map: YAMLMap,
  kind: FieldOwner,
  document: Document.Parsed,
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const add = ({ key, value }: YAMLMap['items'][number], source?: YAMLMap): void => {
    if (!isScalar(key)) return;
    const written = getKeyText(key);
    const name = canonicalName(written, kind);
    if (name === undefined || fields.has(name)) return;
    const node = resolveNode(value, document);
    const field = { key: written, keyNode: key, value: node, written: isAlias(value) ? value : node };
    fields.set(name, source ? { ...field, isMerged: true, source } : { ...field, isMerged: false });
  };
  for (const pair of map.items) add(pair);
  for (const { pair, source } of listMerged(map, document)) add(pair, source);
  return fields;
}

/** A pair from a merge key (`<<`), with the map that contains it. */
export interface MergedPair {
  readonly pair: YAMLMap['items'][number];
  readonly source: YAMLMap;
}

/** Lists the pairs that `<<` merges into a map, including nested merges. The first pair of each key is used. */
export function listMerged(
  map: YAMLMap,
  document: Document.Parsed,
  seen: Set<Node> = new Set(),
): readonly MergedPair[] {
  seen.add(map);
  return map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => {
      const named = resolveNode(value, document);
      const sources = isSeq(named) ? named.items.map((item) => resolveNode(item, document)) : [named];
      return sources.flatMap((source) =>
        isMap(source) && !seen.has(source)
          ? [...source.items.map((pair) => ({ pair, source })), ...listMerged(source, document, seen)]
          : [],
      );
    });
}

/** One entry of `depends`. */
export interface AuthoredDependency {
  /** The name or ID as written. */
  readonly reference: string;
  /** The scalar, with aliases resolved. */
  readonly node: Scalar;
  /** Its index in the list; undefined if `depends` is a string. */
  readonly index?: number;
}

/** Reads `depends` of a step; undefined if it is absent, empty for `[]`. */
export function readDepends(draft: StepDraft, document: Document.Parsed): AuthoredDependency[] | undefined {
  const value = draft.fields.get('depends')?.value;
  const text = getNodeText(value);
  if (text !== undefined) return [{ reference: text, node: value as Scalar }];
  if (!isSeq(value)) return undefined;
  return value.items.flatMap((item, index) => {
    const node: Node | null = resolveNode(item, document);
    const reference = getNodeText(node);
    return reference === undefined ? [] : [{ reference, node: node as Scalar, index }];
  });
}

/**
 * Maps each name and id to the index of its step; names take precedence over ids
 * (core/spec/normalize/graph.ts).
 */
export function indexReferences(
  drafts: readonly StepDraft[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  drafts.forEach(({ fields }, index) => {
    const id = getNodeText(fields.get('id')?.value);
    if (id !== undefined) known.set(id, index);
  });
  const seenNames = new Set<string>();
  names.forEach((name, index) => {
    if (!seenNames.has(name)) known.set(name, index);
    seenNames.add(name);
  });
  return known;
}

/** Returns the dependencies of each step by index, with the same rules as the loader. Unknown names are ignored. */
export function resolveDependencies(
  type: 'chain' | 'graph',
  drafts: readonly StepDraft[],
  explicit: readonly (readonly number[] | undefined)[],
): number[][] {
  let room = MAX_DEPENDENCIES;
  let previous: number[] = [];
  let current: number[] = [];
  let item = -1;
  return drafts.map((draft, index) => {
    if (draft.item !== item) [previous, current, item] = [current, [], draft.item];
    current.push(index);
    const explicitDepends = explicit[index];
    const isCut = type === 'graph' || explicitDepends?.length === 0;
    const depends = isCut
      ? [...(explicitDepends ?? [])]
      : [...new Set([...(explicitDepends ?? []), ...previous])];
    room -= depends.length;
    return room < 0 ? [] : depends;
  });
}
