import {
  getEntryEnd,
  getEntries,
  isBlockCollection,
  isBlockScalar,
  type Collection,
  type Entry,
} from '../yaml/entries.ts';
import type { TextRange } from '../outline.ts';
import type { TextChange } from '../text-change.ts';
import { removeEntries as removeFrom } from '../yaml/add-entry.ts';
import type { OpenWorkflow } from './open-workflow.ts';

/** Line ranges of the entries of a block list or map, computed on demand because there may be thousands. */
export interface EntryLines {
  /** Column of the entries: number of characters before `-` or the key. */
  readonly column: number;
  readonly count: number;
  /** Returns the lines of the entry at an index; undefined if there is none. */
  at(position: number): EntryRange | undefined;
}

/**
 * The lines of one entry, including comments directly above it and deeper comments below it, up to and including its
 * line break.
 */
export interface EntryRange extends TextRange {
  readonly entry: Entry;
  /**
   * The entry starts on the line of its parent, as the first item in `- - a`; then `from` is its own first character.
   */
  readonly isInline: boolean;
}

/** Returns the lines of a block collection. Text between two entries, usually blank lines, belongs to neither. */
export function readEntryLines(text: string, collection: Collection): EntryLines {
  const entries = getEntries(collection);
  const column = entries.length === 0 ? 0 : getColumn(text, entries[0]!.from);
  const getEnd = (entry: Entry): number => findLinesEnd(text, findTextEnd(text, entry), column);
  return {
    column,
    count: entries.length,
    at(position) {
      const entry = entries[position];
      if (entry === undefined) return undefined;
      const lineStart = findLineStart(text, entry.from);
      const isInline = text.slice(lineStart, entry.from).trim() !== '';
      const limit = position === 0 ? Number.NEGATIVE_INFINITY : getEnd(entries[position - 1]!);
      const from = isInline ? entry.from : findCommentsStart(text, lineStart, limit, column);
      return { entry, from, to: getEnd(entry), isInline };
    },
  };
}

export const findLineStart = (text: string, at: number): number =>
  // With a negative position, `lastIndexOf` would still search at offset 0.
  at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;

/** Returns the offset after the line break, or the end of the text on the last line. */
export function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

export function getColumn(text: string, at: number): number {
  const start = findLineStart(text, at);
  return at - (start === 0 && text.startsWith('\uFEFF') ? 1 : start);
}

/**
 * Returns the end of an entry. A block scalar ends with its last line that is not blank, unless it keeps trailing
 * blank lines.
 */
function findTextEnd(text: string, entry: Entry): number {
  const end = getEntryEnd(text, entry);
  let value = entry.value;
  while (isBlockCollection(value)) value = getEntries(value).at(-1)?.value ?? null;
  const hasKeepChomping = isBlockScalar(value) && /^[|>][0-9]?\+/.test(text.slice(value.range![0]));
  return hasKeepChomping ? end : entry.from + text.slice(entry.from, end).trimEnd().length;
}

/** Returns the start of the comment lines directly above that are not indented more than the entry. */
function findCommentsStart(text: string, lineStart: number, limit: number, column: number): number {
  let from = lineStart;
  while (from > 0 && from > limit) {
    const above = findLineStart(text, from - 1);
    if (above < limit || !isComment(text.slice(above, from), 0, column)) break;
    from = above;
  }
  return from;
}

/** Returns the offset after the line and after following comment lines that are indented more than the entry. */
function findLinesEnd(text: string, end: number, column: number): number {
  let to = findLineEnd(text, end);
  while (to < text.length) {
    const next = findLineEnd(text, to);
    if (!isComment(text.slice(to, next), column + 1, Number.POSITIVE_INFINITY)) break;
    to = next;
  }
  return to;
}

function isComment(line: string, min: number, max: number): boolean {
  const column = line.search(/\S/);
  return column >= min && column <= max && line[column] === '#';
}

/**
 * Removes entries from a list or map of steps or names, with their lines and comments. At least one entry must remain.
 */
export function removeEntries(
  { editable, document }: OpenWorkflow,
  collection: Collection,
  positions: ReadonlySet<number>,
): TextChange[] {
  const removed = getEntries(collection).filter(({ index }) => positions.has(index));
  return removed.length === 0
    ? []
    : removeFrom({ editable, document, entry: undefined }, collection, removed);
}
