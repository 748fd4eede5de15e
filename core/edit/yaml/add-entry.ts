import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import type { TextChange } from '../text-change.ts';
import { getEntriesColumn, insertLines, removeLines } from './block-entries.ts';
import type { EditableText } from './editable-text.ts';
import { isBarePair, isFlow, type Collection, type Entry } from './entries.ts';
import { insertInFlow, removeInFlow } from './flow-entries.ts';
import { isFirstOnLine, lineStart } from './text-edits.ts';
import { plainValue, createObject, isContentMap, isList, RawYaml, type Content } from './read-value.ts';
import { linesBelow, replaceValue } from './replace-value.ts';
import {
  commonQuotes,
  layoutAt,
  getLayout,
  formatFlowPair,
  itemLines,
  renderPairLines,
  renderBlock,
  renderFlow,
} from './render.ts';

/** Parent of a value: an entry, or the root of a document if there is none. */
export interface ParentRef {
  readonly editable: EditableText;
  readonly document: Document.Parsed;
  readonly entry: Entry | undefined;
}

/** Appends keys to a map. */
export function addPairs(
  holder: ParentRef,
  map: YAMLMap,
  pairs: readonly (readonly [string, Content])[],
): TextChange[] {
  const { editable, document } = holder;
  const layout = layoutAt(editable, document, map);
  const quotes = commonQuotes(map);
  if (needsRewriting(holder, map)) {
    const old = plainValue(document, map) as { readonly [key: string]: Content };
    return writeValue(holder, createObject([...Object.entries(old), ...pairs]));
  }
  if (isFlow(map)) {
    const text = pairs.map(([key, value]) => formatFlowPair(key, value, layout, quotes)).join(', ');
    return insertInFlow(editable.text, map, map.items.length, text);
  }
  const column = getEntriesColumn(editable.text, map);
  const options = { layout, mayBeBlockText: true, ...(quotes && { keyQuotes: quotes }) };
  const lines = pairs.flatMap(([key, value]) => renderPairLines(key, value, column, options));
  return insertLines(editable, map, map.items.length, lines);
}

/** Inserts items into a list. */
export function addItems(
  holder: ParentRef,
  list: YAMLSeq,
  index: number,
  items: readonly Content[],
): TextChange[] {
  const { editable, document } = holder;
  const layout = layoutAt(editable, document, list);
  const quotes = commonQuotes(list);
  const isNewList = isBareEmpty(editable, list) && !items.every(isShort);
  if (isNewList && !isInFlow(holder)) return writeValue(holder, items);
  if (isFlow(list)) {
    const texts = items.map((item) => renderFlow(item, layout, isScalarText(item) ? quotes : undefined));
    return insertInFlow(editable.text, list, index, texts.join(', '));
  }
  const column = getEntriesColumn(editable.text, list);
  const lines = items.flatMap((item) => {
    const quoteStyle = isScalarText(item) && quotes !== undefined ? { quotes } : {};
    return itemLines(item, column, { layout, mayBeBlockText: true, ...quoteStyle });
  });
  return insertLines(editable, list, index, lines);
}

/** Writes another value to a holder. */
export function writeValue(holder: ParentRef, content: Content): TextChange[] {
  const { editable, document, entry } = holder;
  if (entry === undefined) return writeRoot(holder, content);
  return replaceValue({ editable, entry, content, layout: layoutAt(editable, document, entry.collection) });
}

/**
 * Whether the map must be rewritten: a map without braces can hold only one key, and `{}` becomes block style where
 * possible.
 */
function needsRewriting(holder: ParentRef, map: YAMLMap): boolean {
  return isBarePair(map) || (isBareEmpty(holder.editable, map) && !isInFlow(holder));
}

/** Whether brackets are empty, without even a comment. */
function isBareEmpty({ text }: EditableText, collection: Collection): boolean {
  const [from, to] = collection.range!;
  return collection.items.length === 0 && !text.slice(from, to).includes('#');
}

function isInFlow({ entry }: ParentRef): boolean {
  return entry !== undefined && isFlow(entry.collection);
}

/** Whether an item is short enough for `[ ]`. */
function isShort(item: Content): boolean {
  if (item instanceof RawYaml || isList(item) || isContentMap(item)) return false;
  return typeof item !== 'string' || !item.includes('\n');
}

function isScalarText(item: Content): boolean {
  return typeof item === 'string' && !item.includes('\n');
}

/** Writes the value of a document that is empty, `null` or empty brackets. */
function writeRoot({ editable, document }: ParentRef, content: Content): TextChange[] {
  const { text } = editable;
  const layout = getLayout(editable, document);
  const { lineBreak } = layout;
  const column = isList(content) ? -layout.listStep : -layout.step;
  const { head, rest } = renderBlock(content, { column, isItem: false }, { layout, mayBeBlockText: true });
  const lines = head === '' ? rest : [head, ...rest];
  const { contents } = document;
  const [from, to] = contents?.range ?? [0, 0, 0];
  if (contents !== null && from < to) {
    if (isFirstOnLine(text, from)) return [{ from, to, insert: lines.join(lineBreak) }];
    const blanks = /[ \t]*$/.exec(text.slice(0, from))![0].length;
    return [{ from: from - blanks, to, insert: linesBelow(lines, lineBreak) }];
  }
  const at = document.range[1];
  if (at === lineStart(text, at)) return [{ from: at, to: at, insert: lines.join(lineBreak) + lineBreak }];
  return [{ from: at, to: at, insert: linesBelow(lines, lineBreak) }];
}

/** Removes entries of one collection, in order. */
export function removeEntries(
  holder: ParentRef,
  collection: Collection,
  removed: readonly Entry[],
): TextChange[] {
  const { editable, entry } = holder;
  if (isBarePair(collection)) return writeValue(holder, {});
  return isFlow(collection)
    ? removeInFlow(editable.text, collection, removed)
    : removeLines(editable, collection, removed, entry);
}
