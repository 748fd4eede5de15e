import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Scalar, type YAMLMap } from 'yaml';
import { authoredKeys } from '../../spec/authored-keys.ts';
import { normalizeKey } from '../../spec/spelling/fold-key.ts';
import { keyAliases } from '../../spec/spelling/key-aliases.ts';
import { anchorsOf, isMergeKey } from '../yaml/anchors/anchors.ts';

/** A kind of map whose keys have several spellings. */
export type FieldsOf = 'workflow' | 'step' | 'handlers' | 'stepType';

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

const spellings = new Map<FieldsOf, ReadonlyMap<string, string>>();

function canonicalNamesOf(kind: FieldsOf): ReadonlyMap<string, string> {
  const cached = spellings.get(kind);
  if (cached !== undefined) return cached;
  const aliases: Readonly<Record<string, string>> = kind === 'stepType' ? {} : keyAliases[kind];
  const table = new Map<string, string>(authoredKeys[kind].map((key) => [normalizeKey(key), key]));
  for (const [alias, key] of Object.entries(aliases)) table.set(normalizeKey(alias), key);
  for (const key of authoredKeys[kind]) table.set(key, key);
  spellings.set(kind, table);
  return table;
}

/** Returns the canonical name of a key; undefined if the key is unknown. */
export function canonicalName(written: string, kind: FieldsOf): string | undefined {
  const table = canonicalNamesOf(kind);
  return table.get(written) ?? table.get(normalizeKey(written));
}

/** Resolves aliases; returns null for an unresolved alias. */
export function follow(node: unknown, document: Document.Parsed): Node | null {
  if (isAlias(node)) return anchorsOf(document).targetOf(node)?.node ?? null;
  return isScalar(node) || isMap(node) || isSeq(node) ? node : null;
}

/** Returns a scalar as a string, numbers as written; undefined for any other node and for an empty one. */
export function textOfNode(node: Node | null | undefined): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

/** Returns a key as a string. */
export const textOfKey = (key: unknown): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? '')) : '';

/**
 * Reads the fields of a map by canonical name. For duplicates, the first one is used, and own keys take precedence
 * over merged ones.
 */
export function readFields(
  map: YAMLMap,
  kind: FieldsOf,
  document: Document.Parsed,
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const add = ({ key, value }: YAMLMap['items'][number], source?: YAMLMap): void => {
    if (!isScalar(key)) return;
    const written = textOfKey(key);
    const name = canonicalName(written, kind);
    if (name === undefined || fields.has(name)) return;
    const node = follow(value, document);
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
      const named = follow(value, document);
      const sources = isSeq(named) ? named.items.map((item) => follow(item, document)) : [named];
      return sources.flatMap((source) =>
        isMap(source) && !seen.has(source)
          ? [...source.items.map((pair) => ({ pair, source })), ...listMerged(source, document, seen)]
          : [],
      );
    });
}
