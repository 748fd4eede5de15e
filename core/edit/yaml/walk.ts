import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type YAMLMap,
  isCollection,
  isPair,
  type Alias,
} from 'yaml';
import { joinPath } from '../../spec/source.ts';
import type { AuthoredPath, NodePath } from '../outline.ts';
import type { EditableText } from './editable-text.ts';
import { getEntries, getRoot, type Entry } from './entries.ts';

/** How far a path exists in the text. */
export interface Walk {
  readonly document: Document.Parsed;
  /** Entries from the root, one for each element of the path that exists. */
  readonly entries: readonly Entry[];
  /** The value of the last entry, or of the document if there is none. */
  readonly node: Node | null;
  /** The rest of the path; empty if the value was found. */
  readonly rest: AuthoredPath;
  /**
   * Why the walk ends: at the value, at an alias, at a map that only has the key from `<<`, at a missing key or item,
   * or at a value that is neither a list nor a map.
   */
  readonly end: 'found' | 'alias' | 'inherited' | 'missing' | 'no-container';
  /** For an inherited key: the value of `<<`. */
  readonly merge?: Node;
}

/** A path that cannot be followed, with a user-facing message. */
export interface WalkFailure {
  readonly reason: string;
}

/** Walks from the root of a document to a value. */
export function walk(editable: EditableText, { document: index, path }: NodePath): Walk | WalkFailure {
  if (editable.syntaxError !== undefined) return { reason: explainSyntax(editable) };
  const document = editable.documents[index];
  if (document === undefined) {
    return { reason: `The file has no document ${index + 1}, only ${editable.documents.length}.` };
  }
  const entries: Entry[] = [];
  let node = getRoot(document);
  for (const [depth, part] of path.entries()) {
    const stop = (end: Walk['end'], merge?: Node): Walk => ({
      document,
      entries,
      node,
      rest: path.slice(depth),
      end,
      ...(merge && { merge }),
    });
    if (isAlias(node)) return stop('alias');
    if (isMap(node)) {
      const found = findEntries(node, String(part));
      if (found.length > 1) return { reason: explainDuplicate(editable, found) };
      if (found[0] === undefined) {
        const merge = findMerge(document, node, String(part));
        return merge === undefined ? stop('missing') : stop('inherited', merge);
      }
      entries.push(found[0]);
    } else if (isSeq(node)) {
      const item = typeof part === 'number' ? getEntries(node)[part] : undefined;
      if (item === undefined) return part === node.items.length ? stop('missing') : missingItem(path, depth);
      entries.push(item);
    } else {
      return stop(isNullOrEmpty(node) ? 'missing' : 'no-container');
    }
    node = entries.at(-1)!.value;
  }
  return { document, entries, node, rest: [], end: 'found' };
}

/** Whether a value is empty or `null`. */
export function isNullOrEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** Returns the entries of a map with this key; more than one is an error in the file. */
export function findEntries(map: YAMLMap, key: string): Entry[] {
  return getEntries(map).filter(
    (entry) => isScalar(entry.key) && String(entry.key.value) === key && !isMergeKey(entry.key),
  );
}

/** Returns the value of the `<<` that supplies a key of a map. */
export function findMerge(document: Document.Parsed, map: YAMLMap, key: string): Node | undefined {
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) continue;
    for (const source of isSeq(pair.value) ? pair.value.items : [pair.value]) {
      if (hasMergedKey(document, source, key, new Set())) return pair.value as Node;
    }
  }
  return undefined;
}

function hasMergedKey(document: Document.Parsed, source: unknown, key: string, seen: Set<unknown>): boolean {
  const map = isAlias(source) ? getAnchors(document).getTarget(source)?.node : source;
  if (!isMap(map) || seen.has(map)) return false;
  seen.add(map);
  return map.items.some(({ key: itemKey, value }) => {
    if (!isMergeKey(itemKey)) return isScalar(itemKey) && String(itemKey.value) === key;
    const sources = isSeq(value) ? value.items : [value];
    return sources.some((next) => hasMergedKey(document, next, key, seen));
  });
}

function explainSyntax({ syntaxError, lines }: EditableText): string {
  const { line } = lines.locate(syntaxError!.offset);
  return `Invalid YAML in line ${line}. ${syntaxError!.message}`;
}

function explainDuplicate({ lines }: EditableText, [first, second]: readonly Entry[]): string {
  const [a, b] = [lines.locate(first!.from).line, lines.locate(second!.from).line];
  return `Duplicate key "${String(first!.key!.value)}" in lines ${a} and ${b}. Remove or rename one in the source first.`;
}

function missingItem(path: AuthoredPath, depth: number): WalkFailure {
  const list = formatPath(path.slice(0, depth));
  return {
    reason: `${list} has no item ${JSON.stringify(path[depth])}.`,
  };
}

/** Formats a path as `steps[2].env`, or "The document". */
export function formatPath(path: AuthoredPath): string {
  return path.length === 0 ? 'The document' : `"${path.reduce<string>(joinPath, '')}"`;
}

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
  getAnchor(node: unknown): Anchor | undefined;
  /** Returns undefined for an alias without an anchor before it. */
  getTarget(alias: Alias): Anchor | undefined;
}

const tables = new WeakMap<Document.Parsed, AnchorTable>();

/** Returns the anchors of a document; the result is cached. */
export function getAnchors(document: Document.Parsed): AnchorTable {
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
    getAnchor: (node) => byNode.get(node),
    getTarget: (alias) => byAlias.get(alias),
  };
}

/** Whether a key is an unquoted `<<`. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
