import {
  Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
  type Node,
  isCollection,
  type CST,
  type Document,
} from 'yaml';

/** Distance between the tokens of a pair or collection and its current position. */
const shift = Symbol('shift of tokens');

/** Cached entries of a collection: see `entries.ts`. Not copied. */
const cachedEntries = Symbol('entries of a collection');

interface WithShift {
  [shift]?: number;
  [cachedEntries]?: undefined;
}

/** Returns what to add to the token offsets of a pair or collection. */
export const tokenShift = (part: Pair | YAMLMap | YAMLSeq): number => (part as WithShift)[shift] ?? 0;

/**
 * Copies a value to another position in the text. Its tokens are shared, with {@link tokenShift} as the offset,
 * because copying them would take three times as long.
 */
export function shiftNode(node: Node, by: number): Node {
  if (isScalar(node)) return shiftScalar(node, by);
  if (isAlias(node)) return moved(Object.assign(new Alias(node.source), node), by);
  if (isSeq(node)) {
    const copy: YAMLSeq = Object.assign(new YAMLSeq(node.schema), node);
    copy.items = node.items.map((item) => shiftChild(item, by));
    return moveTokens(moved(copy, by), node, by);
  }
  if (!isMap(node)) return node;
  const copy: YAMLMap = Object.assign(new YAMLMap(node.schema), node);
  copy.items = node.items.map((pair) => shiftPair(pair, by));
  return moveTokens(moved(copy, by), node, by);
}

/** Most nodes are scalars: copying named fields is several times faster than copying all fields. */
function shiftScalar(node: Scalar, by: number): Scalar {
  const copy = new Scalar(node.value);
  copy.range = node.range ?? null;
  if (node.source !== undefined) copy.source = node.source;
  if (node.type !== undefined) copy.type = node.type;
  if (node.srcToken !== undefined) copy.srcToken = node.srcToken;
  if (node.anchor !== undefined) copy.anchor = node.anchor;
  if (node.tag !== undefined) copy.tag = node.tag;
  return moved(copy, by);
}

/** Copies a key with its value in the same way. */
export function shiftPair(pair: Pair, by: number): Pair {
  const copy: Pair = new Pair(shiftChild(pair.key, by), shiftChild(pair.value, by));
  if (pair.srcToken !== undefined) copy.srcToken = pair.srcToken;
  return moveTokens(copy, pair, by);
}

const shiftChild = (node: unknown, by: number): Node | null =>
  node === null || node === undefined ? null : shiftNode(node as Node, by);

function moved<Kind extends Node>(copy: Kind, by: number): Kind {
  const range = copy.range;
  if (range) copy.range = [range[0] + by, range[1] + by, range[2] + by];
  return copy;
}

function moveTokens<Part extends Pair | YAMLMap | YAMLSeq>(copy: Part, original: Part, by: number): Part {
  (copy as WithShift)[shift] = tokenShift(original) + by;
  if (cachedEntries in copy) copy[cachedEntries] = undefined;
  return copy;
}

export type Collection = YAMLMap | YAMLSeq;

/** A key with its value, or a list item, with its position in the text. */
export interface Entry {
  readonly collection: Collection;
  readonly index: number;
  /** Set for an entry of a map. */
  readonly key?: Scalar;
  /** The node as written, possibly an alias; null if it is empty. */
  readonly value: Node | null;
  /** The first character of the entry: `-`, `?`, or the start of the key. */
  readonly from: number;
  /** Offset after the last of `-`, `:`, anchor and tag, where a missing value is inserted. */
  readonly open: number;
  /** Offset after the last of `-` and `:`, before anchor and tag. */
  readonly mark: number;
  /** For a map entry: whether there is a `:`. */
  readonly hasColon: boolean;
  /** The tag of the value, if it has one. */
  readonly tag?: { readonly from: number; readonly to: number };
}

/** A collection with its cached entries. Weak references to so many objects would slow down the garbage collector. */
type CachedCollection = Collection & { [cachedEntries]?: readonly Entry[] | undefined };

/** Returns the entries of a collection that was parsed with its tokens, in the order of the text. */
export function getEntries(collection: Collection): readonly Entry[] {
  let entries = (collection as CachedCollection)[cachedEntries];
  if (entries === undefined) {
    entries = isMap(collection) ? collection.items.map(readPair, collection) : readItems(collection);
    (collection as CachedCollection)[cachedEntries] = entries;
  }
  return entries;
}

/** Returns only the last entry. The end of every step is needed, but the entries of few. */
function getLastEntry(collection: Collection): Entry | undefined {
  const entries = (collection as CachedCollection)[cachedEntries];
  if (entries !== undefined || !isMap(collection)) return (entries ?? getEntries(collection)).at(-1);
  const last = collection.items.length - 1;
  return last < 0 ? undefined : readPair.call(collection, collection.items[last] as Pair, last);
}

/** Sets the entries of a list whose tokens are not those of its items. */
export function keepEntries(list: YAMLSeq, entries: readonly Entry[]): void {
  (list as CachedCollection)[cachedEntries] = entries;
}

/** Must be called for a map whose items were replaced. */
export function forgetEntries(map: YAMLMap): void {
  (map as CachedCollection)[cachedEntries] = undefined;
}

function readPair(this: YAMLMap, pair: Pair, index: number): Entry {
  const { start, sep = [] } = pair.srcToken!;
  const key = pair.key as Scalar;
  const keyStart = key.range![0];
  const explicit = start.find(({ type }) => type === 'explicit-key-ind');
  const first = explicit ?? start.find(isProperty);
  const indicators = sep.filter(({ type }) => type === 'map-value-ind');
  const by = tokenShift(pair);
  return {
    collection: this,
    index,
    key,
    value: isEmptyNode(pair.value) ? null : (pair.value as Node | null),
    from: Math.min(keyStart, first === undefined ? keyStart : first.offset + by),
    ...readMarks(indicators, sep, { fallback: key.range![1], by }),
    hasColon: indicators.length > 0,
  };
}

function readItems(list: YAMLSeq): Entry[] {
  const token = list.srcToken as CST.BlockSequence | CST.FlowCollection;
  const tokens: readonly CST.CollectionItem[] = token.items;
  const by = tokenShift(list);
  const inBrackets = token.type === 'flow-collection';
  const written = tokens.filter((item) => (inBrackets ? !isEmptyItem(item) : hasIndicator(item)));
  return list.items.map((item, index) => {
    const node = item as Node | null;
    const { start = [] } = written[index] ?? {};
    const indicators = start.filter(({ type }) => type === 'seq-item-ind');
    const at = node?.range?.[0] ?? 0;
    const first =
      indicators[0] ?? start.find(isProperty) ?? start.find(({ type }) => type === 'explicit-key-ind');
    return {
      collection: list,
      index,
      value: isEmptyNode(node) ? null : node,
      from: Math.min(at, first === undefined ? at : first.offset + by),
      ...readMarks(indicators, start, { fallback: at, by }),
      hasColon: false,
    };
  });
}

function readMarks(
  indicators: readonly CST.SourceToken[],
  tokens: readonly CST.SourceToken[],
  { fallback, by }: { readonly fallback: number; readonly by: number },
): Pick<Entry, 'open' | 'mark' | 'tag'> {
  const getEnd = ({ offset, source }: CST.SourceToken): number => offset + source.length + by;
  const last = indicators.at(-1);
  const mark = last === undefined ? fallback : getEnd(last);
  const properties = tokens.filter((token) => isProperty(token) && token.offset + by >= mark);
  const end = properties.at(-1);
  const tag = properties.find(({ type }) => type === 'tag');
  return {
    mark,
    open: end === undefined ? mark : getEnd(end),
    ...(tag && { tag: { from: tag.offset + by, to: getEnd(tag) } }),
  };
}

function isProperty({ type }: CST.SourceToken): boolean {
  return type === 'anchor' || type === 'tag';
}

function hasIndicator({ start }: CST.CollectionItem): boolean {
  return start.some(({ type }) => type === 'seq-item-ind');
}

/** Whether an item only contains the comments and blanks after a trailing comma. */
function isEmptyItem({ start, key, sep, value }: CST.CollectionItem): boolean {
  return (
    !key && !sep && !value && !start.some((token) => isProperty(token) || token.type === 'explicit-key-ind')
  );
}

/** Whether a node is the empty node that the library creates for a missing value. */
function isEmptyNode(node: unknown): boolean {
  return isScalar(node) && node.range![0] === node.range![1];
}

/** Whether a collection is in flow style, or is the map without braces of `[a: 1]`. */
export function isFlow(collection: Collection): boolean {
  return isBarePair(collection) || collection.srcToken?.type === 'flow-collection';
}

/** Whether a map is that of `[a: 1]`, which can hold only one key. */
export function isBarePair(collection: Collection): boolean {
  return collection.srcToken === undefined;
}

/** Whether a value is a list or map in block style. */
export function isBlockCollection(node: unknown): node is Collection {
  return isCollection(node) && !isFlow(node);
}

/** Returns the end of an entry: after the last character of its value, before a comment and the line break. */
export function getEntryEnd(text: string, entry: Entry): number {
  if (entry.value === null) return Math.max(entry.open, entry.key?.range?.[1] ?? 0);
  return getNodeEnd(text, entry.value);
}

/** Returns the end of a value, as {@link getEntryEnd}. For a block scalar, the last line break is not included. */
export function getNodeEnd(text: string, node: Node): number {
  if (isBlockCollection(node)) {
    const last = getLastEntry(node);
    return last === undefined ? node.range![1] : getEntryEnd(text, last);
  }
  const end = node.range![1];
  if (!isBlockScalar(node) || text[end - 1] !== '\n') return end;
  return text[end - 2] === '\r' ? end - 2 : end - 1;
}

export function isBlockScalar(node: unknown): node is Scalar<string> {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

/** Returns the root value of a document. */
export function getRoot({ contents }: Document.Parsed): Node | null {
  return isEmptyNode(contents) ? null : contents;
}

/** Returns the header of a block scalar, such as `|2-`. */
export function getHeader({ srcToken }: Scalar): string {
  const { props } = srcToken as CST.BlockScalar;
  const header = props.find(({ type }) => type === 'block-scalar-header');
  return header !== undefined && 'source' in header ? header.source : '|';
}

/** Returns the last scalar of a value in block style; null if the last value is empty. */
export function lastScalar(node: Node | null): Node | null {
  let last = node;
  while (isBlockCollection(last)) last = getLastEntry(last)?.value ?? null;
  return last;
}

/** Whether blank lines after a value belong to it, because it ends with `|+`. */
export function endsWithKeepChomping(node: Node | null): boolean {
  const last = lastScalar(node);
  return isBlockScalar(last) && getHeader(last).includes('+');
}
