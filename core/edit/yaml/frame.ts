import { isCollection, isMap, isSeq, Pair, YAMLMap, YAMLSeq, type Document, type Node } from 'yaml';
import { createReport } from '../../spec/source.ts';
import { parseDocuments } from '../../spec/parse-yaml.ts';
import {
  getEntries,
  isFlow,
  type Collection,
  forgetEntries,
  keepEntries,
  type Entry,
  shiftNode,
  shiftPair,
} from './entries.ts';
import type { StepLines } from './reparse.ts';

/** A list or map of steps. */
export interface StepCollection {
  /** The workflow that contains the steps. */
  readonly root: YAMLMap;
  readonly list: Collection;
  /** Index of the steps field among the fields. */
  readonly position: number;
}

/** Finds the list or map whose items start at these lines, among the fields of a workflow. */
export function findList(
  documents: readonly Document.Parsed[],
  { form, starts, column }: StepLines,
): StepCollection | undefined {
  const start = starts[0]! + column;
  const isForm = (node: unknown): node is Collection => (form === 'list' ? isSeq(node) : isMap(node));
  for (const { contents: root } of documents) {
    if (!isMap(root) || isFlow(root)) continue;
    const position = root.items.findIndex(({ value }) => isForm(value) && value.range?.[0] === start);
    const list = root.items[position]?.value;
    if (!isCollection(list) || isFlow(list) || list.anchor !== undefined || list.tag !== undefined) continue;
    const entries = getEntries(list);
    const isSame =
      entries.length === starts.length && entries.every(({ from }, item) => from === starts[item]! + column);
    return isSame ? { root, list, position } : undefined;
  }
  return undefined;
}

/** Parses the text around the steps together with the last step; undefined if there is an error. */
export function readFrame(text: string, lines: StepLines): Frame | undefined {
  const { starts } = lines;
  const [first, last] = [starts[0]!, starts.at(-1)!];
  const documents = parseCleanly(text.slice(0, first) + text.slice(last));
  const found = documents && findList(documents, { ...lines, starts: [first] });
  return found && { ...found, documents: documents, gap: last - first };
}

/** Returns the documents of a text without errors and warnings. */
function parseCleanly(text: string): Document.Parsed[] | undefined {
  const report = createReport(text, '');
  const documents = parseDocuments(text, report, { keepSourceTokens: true });
  return report.list().length > 0 ? undefined : documents;
}

/**
 * Parses consecutive items, with the next item after them as in the text.
 * @param to the item after the last of them
 * @returns undefined if there is an error
 */
export function readItems(text: string, lines: StepLines, from: number, to: number): Item[] | undefined {
  const { form, starts, column } = lines;
  const head = 'steps:\n';
  const next = form === 'list' ? '- ~' : 'next: ~';
  const source = text.slice(starts[from], starts[to]);
  const documents = parseCleanly(`${head}${source}${' '.repeat(column)}${next}\n`);
  const offset = starts[from]! - head.length;
  const expected = starts.slice(from, to + 1).map((start) => start - offset);
  const found = documents && findList(documents, { ...lines, starts: expected });
  return found && expected.slice(0, -1).map((_, index) => ({ list: found.list, index, by: offset }));
}

/** The rest of a text without its steps except the last one, whose end depends on what follows. */
interface Frame extends StepCollection {
  readonly documents: readonly Document.Parsed[];
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

/**
 * Copies documents with only some of the steps. The copied steps can be changed; everything else is shared.
 * @param items indexes in the list or map of steps
 */
export function selectSteps(
  documents: readonly Document.Parsed[],
  { root, list, position }: StepCollection,
  items: readonly number[],
): Pick<Frame, 'documents' | 'root' | 'list'> {
  const copy = Object.assign(isMap(list) ? new YAMLMap(list.schema) : new YAMLSeq(list.schema), list);
  const selected = items.map((index) => ({ list, index, by: 0 }));
  if (isMap(copy)) {
    fillMap(copy, selected);
    copy.items = copy.items.map((pair) => shiftPair(pair, 0));
  } else {
    fillList(copy, selected);
    copy.items = copy.items.map((item) => item && shiftNode(item as Node, 0));
  }
  const parent = Object.assign(new YAMLMap(root.schema), root);
  parent.items = root.items.map((pair, index) =>
    index === position ? Object.assign(new Pair(pair.key), pair, { value: copy }) : pair,
  );
  forgetEntries(parent);
  return {
    documents: documents.map((document) =>
      document.contents === root
        ? (Object.create(document, { contents: { value: parent } }) as Document.Parsed)
        : document,
    ),
    root: parent,
    list: copy,
  };
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
  const placed = items.map((item, index) => toShiftedItem(item, list, index));
  list.items = placed.map(({ node }) => node);
  keepEntries(
    list,
    placed.map(({ entry }) => entry),
  );
}

function toShiftedItem(
  { list, index, by }: Item,
  collection: YAMLSeq,
  position: number,
): { readonly node: Node | null; readonly entry: Entry } {
  const old = getEntries(list)[index]!;
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
