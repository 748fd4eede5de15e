import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Alias,
  type Document,
  type YAMLMap,
} from 'yaml';
import type { Node } from 'yaml';

/** A use of an anchored value. */
export interface AliasUse {
  readonly alias: Alias;
  readonly offset: number;
  /** The map that merges it with `<<`; absent for a plain alias. */
  readonly mergedInto?: YAMLMap;
}

export interface Anchor {
  readonly name: string;
  readonly node: Node;
  /** Offset of the value, after the anchor itself. */
  readonly offset: number;
  readonly uses: AliasUse[];
}

/** The anchors of one document, and the anchor of each alias. */
export interface AnchorTable {
  readonly anchors: readonly Anchor[];
  anchorOf(node: unknown): Anchor | undefined;
  /** Returns undefined for an alias without an anchor before it. */
  targetOf(alias: Alias): Anchor | undefined;
}

const tables = new WeakMap<Document.Parsed, AnchorTable>();

/** Returns the anchors of a document; the result is cached. */
export function anchorsOf(document: Document.Parsed): AnchorTable {
  let table = tables.get(document);
  if (table === undefined) {
    table = readAnchors(document);
    tables.set(document, table);
  }
  return table;
}

function readAnchors(document: Document.Parsed): AnchorTable {
  const newest = new Map<string, Anchor>();
  const byNode = new Map<unknown, Anchor>();
  const byAlias = new Map<Alias, Anchor>();
  const read = (node: unknown, mergedInto?: YAMLMap): void => {
    if (isPair(node)) {
      read(node.key);
      read(node.value);
    } else if (isAlias(node)) {
      const anchor = newest.get(node.source);
      if (anchor === undefined) return;
      byAlias.set(node, anchor);
      anchor.uses.push({ alias: node, offset: node.range?.[0] ?? 0, ...(mergedInto && { mergedInto }) });
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) {
        const anchor = { name: node.anchor, node, offset: node.range?.[0] ?? 0, uses: [] };
        newest.set(node.anchor, anchor);
        byNode.set(node, anchor);
      }
      if (isMap(node)) for (const pair of node.items) readPair(node, pair);
      else if (isCollection(node)) for (const item of node.items) read(item, mergedInto);
    }
  };
  const readPair = (map: YAMLMap, { key, value }: { key: unknown; value: unknown }): void => {
    read(key);
    read(value, isMergeKey(key) ? map : undefined);
  };
  read(document.contents);
  return {
    anchors: [...byNode.values()],
    anchorOf: (node) => byNode.get(node),
    targetOf: (alias) => byAlias.get(alias),
  };
}

/** Whether a key is an unquoted `<<`. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
