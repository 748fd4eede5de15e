import { Alias, isAlias, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';

/** Distance between the tokens of a pair or collection and its current position. */
const shift = Symbol('shift of tokens');

/** Cached entries of a collection: see `entries.ts`. Not copied. */
export const cachedEntries = Symbol('entries of a collection');

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
