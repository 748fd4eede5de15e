import { isMap, type Document, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { entriesOf, forgetEntries, keepEntries, type Collection, type Entry } from '../entries/entries.ts';
import { shiftNode, shiftPair } from './shift-node.ts';

/** The rest of a text without its steps except the last one, whose end depends on what follows. */
export interface Frame {
  readonly documents: readonly Document.Parsed[];
  /** The workflow that contains the steps. */
  readonly root: YAMLMap;
  /** Contains the last step. */
  readonly list: Collection;
  /** Index of the steps field among the fields. */
  readonly position: number;
  /** Number of characters that are removed before the last step. */
  readonly gap: number;
}

/** A step as an item of the list or map in which it was parsed, with the offset to its position. */
export interface Item {
  readonly list: Collection;
  readonly index: number;
  readonly by: number;
}

/** Inserts the other steps into a new frame and shifts what follows them. */
export function fillFrame({ documents, root, list, position, gap }: Frame, items: readonly Item[]): void {
  const all = [...items, { list, index: 0, by: gap }];
  if (isMap(list)) fillMap(list, all);
  else fillList(list, all);
  root.items = root.items.map((pair, index) => (index > position ? shiftPair(pair, gap) : pair));
  for (const collection of [list, root]) collection.range = shiftEnd(collection.range!, 0, gap);
  const documentIndex = documents.findIndex(({ contents }) => contents === root);
  for (const [index, document] of documents.entries()) {
    if (index < documentIndex) continue;
    document.range = shiftEnd(document.range, index === documentIndex ? 0 : gap, gap);
    if (index > documentIndex && document.contents !== null)
      document.contents = shiftNode(document.contents, gap) as typeof document.contents;
  }
}

/** Pairs store the offset of their tokens, so that the entries of the map can be found. */
function fillMap(map: YAMLMap, items: readonly Item[]): void {
  map.items = items.map(({ list, index, by }) => {
    const pair = (list as YAMLMap).items[index]!;
    return by === 0 ? pair : shiftPair(pair, by);
  });
  forgetEntries(map);
}

function fillList(list: YAMLSeq, items: readonly Item[]): void {
  const placed = items.map((item, index) => placeItem(item, list, index));
  list.items = placed.map(({ node }) => node);
  keepEntries(
    list,
    placed.map(({ entry }) => entry),
  );
}

function placeItem(
  { list, index, by }: Item,
  collection: YAMLSeq,
  position: number,
): { readonly node: Node | null; readonly entry: Entry } {
  const old = entriesOf(list)[index]!;
  const original = list.items[index] as Node | null;
  const node = by === 0 || original === null ? original : shiftNode(original, by);
  const { from, open, mark, tag } = old;
  return {
    node,
    entry: {
      ...old,
      collection,
      index: position,
      value: old.value === null ? null : node,
      from: from + by,
      open: open + by,
      mark: mark + by,
      ...(tag && { tag: { from: tag.from + by, to: tag.to + by } }),
    },
  };
}

type Range = [number, number, number];

const shiftEnd = ([start, end, nodeEnd]: Range, from: number, to: number): Range => [
  start + from,
  end + to,
  nodeEnd + to,
];
