import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Scalar, type YAMLMap } from 'yaml';
import { authoredKeys } from '../../spec/authored-keys.ts';
import { foldKey } from '../../spec/spelling/fold-key.ts';
import { keyAliases } from '../../spec/spelling/key-aliases.ts';
import { anchorsOf, isMergeKey } from '../yaml/anchors/anchors.ts';

/** A kind of map whose keys may be spelled in several ways. */
export type FieldsOf = 'workflow' | 'step' | 'handlers' | 'stepType';

/** One field of a map, found under its canonical name. */
export interface Field {
  /** As its author spelled it. */
  readonly key: string;
  readonly keyNode: Scalar;
  /** Aliases followed; null when nothing is written. */
  readonly value: Node | null;
  /** What stands after the key itself: an alias stays one. */
  readonly written: Node | null;
  /** It comes from a map that `<<` names and is not written here. */
  readonly isMerged: boolean;
  /** Of a merged field: the map in which it is written. */
  readonly source?: YAMLMap;
}

const spellings = new Map<FieldsOf, ReadonlyMap<string, string>>();

function spellingsOf(kind: FieldsOf): ReadonlyMap<string, string> {
  const known = spellings.get(kind);
  if (known !== undefined) return known;
  const aliases: Readonly<Record<string, string>> = kind === 'stepType' ? {} : keyAliases[kind];
  const table = new Map<string, string>(authoredKeys[kind].map((key) => [foldKey(key), key]));
  for (const [alias, key] of Object.entries(aliases)) table.set(foldKey(alias), key);
  for (const key of authoredKeys[kind]) table.set(key, key);
  spellings.set(kind, table);
  return table;
}

/** The canonical name of a key as somebody spelled it; undefined for a key that is not known. */
export function canonicalName(written: string, kind: FieldsOf): string | undefined {
  const table = spellingsOf(kind);
  return table.get(written) ?? table.get(foldKey(written));
}

/** A node with aliases followed; null for one that leads nowhere. */
export function follow(node: unknown, document: Document.Parsed): Node | null {
  if (isAlias(node)) return anchorsOf(document).targetOf(node)?.node ?? null;
  return isScalar(node) || isMap(node) || isSeq(node) ? node : null;
}

/** The text of a scalar, a number as it is spelled; undefined for anything else, and for nothing. */
export function textOfNode(node: Node | null | undefined): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

/** A key as text. */
export const textOfKey = (key: unknown): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? '')) : '';

/** The fields of a map by canonical name; what is written twice counts once, own keys before merged ones. */
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
    const own = { key: written, keyNode: key, value: node, written: isAlias(value) ? value : node };
    fields.set(name, source ? { ...own, isMerged: true, source } : { ...own, isMerged: false });
  };
  for (const pair of map.items) add(pair);
  for (const { pair, source } of listMerged(map, document)) add(pair, source);
  return fields;
}

/** A pair that `<<` brings into a map, and the map that it is written in. */
export interface MergedPair {
  readonly pair: YAMLMap['items'][number];
  readonly source: YAMLMap;
}

/** The pairs that `<<` brings into a map, those of maps merged into these as well; the first of a key counts. */
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
