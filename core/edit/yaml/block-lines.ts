import type { TextChange } from '../text-change.ts';
import { getEntries, getEntryEnd, endsWithKeepChomping, getRoot, type Entry } from './entries.ts';
import {
  getColumn,
  getIndent,
  isBlankFrom,
  isCommentLine,
  isFirstOnLine,
  lineEnd,
  lineStart,
  nextLine,
  getLineBreak,
} from './text-edits.ts';
import type { EditableText } from './editable-text.ts';

/**
 * The lines of an entry in block style, without the last line break.
 * A comment belongs to an entry if it is directly above it in the same column, without a blank line in between, or
 * after it with more indentation. Comments above the first key of a document belong to the document.
 */
interface BlockLines {
  /** The first character; after the `- ` of a list if the entry is on the same line. */
  readonly from: number;
  readonly to: number;
  readonly isInline: boolean;
}

export function blockLines({ text, documents }: EditableText, entry: Entry): BlockLines {
  const to = findLinesEnd(text, entry);
  if (!isFirstOnLine(text, entry.from)) return { from: entry.from, to, isInline: true };
  let from = lineStart(text, entry.from);
  const isTop = entry.index === 0 && documents.some((document) => getRoot(document) === entry.collection);
  if (isTop && entry.key !== undefined) return { from, to, isInline: false };
  const column = getColumn(text, entry.from);
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (above === from || getIndent(text, above) !== column || !isCommentLine(text, above)) break;
    from = above;
  }
  return { from, to, isInline: false };
}

/** Returns the end of an entry, including comments with more indentation. */
function findLinesEnd(text: string, entry: Entry): number {
  const column = getColumn(text, entry.from);
  let to = lineEnd(text, getEntryEnd(text, entry));
  for (let next = nextLine(text, to); next < text.length; next = nextLine(text, next)) {
    if (isBlankFrom(text, next)) continue;
    if (getIndent(text, next) <= column || !isCommentLine(text, next)) break;
    to = lineEnd(text, next);
  }
  return to;
}

/** Whether comments with more indentation follow an entry: a block scalar inserted there would include them. */
export function hasCommentsBehind(text: string, entry: Entry): boolean {
  return findLinesEnd(text, entry) > lineEnd(text, getEntryEnd(text, entry));
}

/** Whether the text before an entry ends with a block scalar that keeps trailing blank lines. */
export function followsKeepChomping(entry: Entry): boolean {
  const before = getEntries(entry.collection)[entry.index - 1];
  return before !== undefined && endsWithKeepChomping(before.value);
}

/** Whether the line before `start`, which is the start of a line, is blank. */
export function isBlankAbove(text: string, start: number): boolean {
  if (start === 0) return false;
  const above = lineStart(text, start - 1);
  return above < start && isBlankFrom(text, above);
}

/** Skips the blank lines that start at `start`. */
export function skipBlankLines(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlankFrom(text, at)) at = nextLine(text, at);
  return at;
}

/** Moves an item in block style, with its lines and the blank lines to its neighbor. */
export function moveLines(
  editable: EditableText,
  items: readonly Entry[],
  from: number,
  to: number,
): TextChange[] {
  return moveItemOnly(editable, items, from, to) ?? reorderLines(editable, items, from, to);
}

/**
 * Cuts the item and inserts it elsewhere. Returns undefined if more is needed: an item is after a `- ` of another
 * list, ends with text that keeps trailing blank lines, or has comments around it that belong to no item.
 */
function moveItemOnly(
  editable: EditableText,
  items: readonly Entry[],
  from: number,
  to: number,
): TextChange[] | undefined {
  const { text } = editable;
  const neighbour = items[from < to ? from + 1 : from - 1]!;
  const involved = [items[from]!, items[to]!, neighbour];
  const [moved, target, next] = involved.map((item) => blockLines(editable, item));
  if (blockLines(editable, items[0]!).isInline) return undefined;
  if (involved.some(({ value }) => endsWithKeepChomping(value))) return undefined;
  const gap = from < to ? text.slice(moved!.to, next!.from) : text.slice(next!.to, moved!.from);
  if (gap.trim() !== '') return undefined;
  const itemText = text.slice(moved!.from, moved!.to);
  return from < to
    ? [
        { from: moved!.from, to: next!.from, insert: '' },
        { from: target!.to, to: target!.to, insert: gap + itemText },
      ]
    : [
        { from: target!.from, to: target!.from, insert: itemText + gap },
        { from: next!.to, to: moved!.to, insert: '' },
      ];
}

/**
 * Reorders the lines of the item and of those it passes. Text between two items, that is blank lines and comments that
 * belong to none, stays where it is.
 */
function reorderLines(
  editable: EditableText,
  items: readonly Entry[],
  from: number,
  to: number,
): TextChange[] {
  const { text } = editable;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const blocks = items.slice(first, last + 1).map((item) => ({ item, ...blockLines(editable, item) }));
  const moved = blocks.toSpliced(from - first, 1).toSpliced(to - first, 0, blocks[from - first]!);
  const column = getColumn(text, items[0]!.from);
  const texts = moved.map((block) => getText(text, block, ' '.repeat(column)));
  const keepsBlanks = blocks.some(({ item }) => endsWithKeepChomping(item.value));
  let insert = blocks[0]!.isInline ? texts[0]!.slice(column) : texts[0]!;
  for (const [position, itemText] of texts.slice(1).entries()) {
    const between = text.slice(blocks[position]!.to, blocks[position + 1]!.from);
    // Blank lines after `|+` would become part of it.
    insert += (keepsBlanks ? between.replace(/^(\r?\n)(?:[ \t]*\r?\n)+/, '$1') : between) + itemText;
  }
  const end = blocks.at(-1)!;
  const behind = keepsBlanks ? /^(\r?\n)(?:[ \t]*\r?\n)*/.exec(text.slice(end.to))?.[0] : undefined;
  if (behind === undefined) return [{ from: blocks[0]!.from, to: end.to, insert }];
  return [{ from: blocks[0]!.from, to: end.to + behind.length, insert: insert + getLineBreak(text) }];
}

/** Returns the lines of an item with the indentation of its list, even if it was after a `- `. */
function getText(text: string, { from, to, isInline }: BlockLines, pad: string): string {
  return isInline ? pad + text.slice(from, to) : text.slice(from, to);
}
