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
} from './text-edits.ts';
import type { EditableText } from './editable-text.ts';

/**
 * The lines of an entry in block style, without the last line break.
 * A comment belongs to an entry if it is directly above it in the same column, without a blank line in between, or
 * after it with more indentation. Comments above the first key of a document belong to the document.
 */
export interface BlockLines {
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
