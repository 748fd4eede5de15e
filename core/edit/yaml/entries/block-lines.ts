import { entriesOf, endOfEntry, endsInKeptText, rootOf, type Entry } from './entries.ts';
import {
  columnOf,
  indentOf,
  isBlankFrom,
  isCommentLine,
  isFirstOnLine,
  lineEnd,
  lineStart,
  nextLine,
} from '../lines.ts';
import type { EditableText } from '../editable-text.ts';

/**
 * The lines of an entry in block style, without its last line break.
 *
 * Comments belong to an entry when they stand directly above it, without a blank line between, in its column, and when
 * they follow it further in. Those above the first key of a document are about the document and belong to no key.
 */
export interface BlockLines {
  /** The first character; behind the `- ` of a list when the entry stands on its line. */
  readonly from: number;
  readonly to: number;
  readonly isInline: boolean;
}

export function blockLines({ text, documents }: EditableText, entry: Entry): BlockLines {
  const to = endOfLines(text, entry);
  if (!isFirstOnLine(text, entry.from)) return { from: entry.from, to, isInline: true };
  let from = lineStart(text, entry.from);
  const isTop = entry.index === 0 && documents.some((document) => rootOf(document) === entry.collection);
  if (isTop && entry.key !== undefined) return { from, to, isInline: false };
  const column = columnOf(text, entry.from);
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (above === from || indentOf(text, above) !== column || !isCommentLine(text, above)) break;
    from = above;
  }
  return { from, to, isInline: false };
}

/** Behind the last line of an entry, comments further in included. */
function endOfLines(text: string, entry: Entry): number {
  const column = columnOf(text, entry.from);
  let to = lineEnd(text, endOfEntry(text, entry));
  for (let next = nextLine(text, to); next < text.length; next = nextLine(text, next)) {
    if (isBlankFrom(text, next)) continue;
    if (indentOf(text, next) <= column || !isCommentLine(text, next)) break;
    to = lineEnd(text, next);
  }
  return to;
}

/** Whether comments further in than an entry follow it: block text put there would take them in. */
export function hasCommentsBehind(text: string, entry: Entry): boolean {
  return endOfLines(text, entry) > lineEnd(text, endOfEntry(text, entry));
}

/** Whether what stands before an entry of a collection ends in text that takes blank lines in. */
export function followsKeptText(entry: Entry): boolean {
  const before = entriesOf(entry.collection)[entry.index - 1];
  return before !== undefined && endsInKeptText(before.value);
}

/** Whether the line before `start`, which is the start of a line, is blank. */
export function isBlankAbove(text: string, start: number): boolean {
  if (start === 0) return false;
  const above = lineStart(text, start - 1);
  return above < start && isBlankFrom(text, above);
}

/** Behind the blank lines that begin at `start`. */
export function skipBlankLines(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlankFrom(text, at)) at = nextLine(text, at);
  return at;
}
