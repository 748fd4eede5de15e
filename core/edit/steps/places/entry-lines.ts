import {
  endOfEntry,
  entriesOf,
  isBlockCollection,
  isBlockScalar,
  type Collection,
  type Entry,
} from '../../yaml/entries/entries.ts';
import type { TextRange } from '../../outline.ts';

/** The entries of a block list or map by their lines, which are found when they are asked for: there may be thousands. */
export interface EntryLines {
  /** Column of the entries: how many characters stand before `-` or the key. */
  readonly column: number;
  readonly count: number;
  /** The lines of the entry at a place, 0-based; undefined where there is none. */
  at(place: number): EntryRange | undefined;
}

/** The lines of one entry, with comments right above it and deeper ones below, up to behind its line break. */
export interface EntryRange extends TextRange {
  readonly entry: Entry;
  /** The entry begins on the line of what holds it, as the first item in `- - a`; then `from` is its own first character. */
  readonly isInline: boolean;
}

/** Lays a block collection out in lines. What stands between two entries, blank lines mostly, belongs to neither. */
export function readEntryLines(text: string, collection: Collection): EntryLines {
  const entries = entriesOf(collection);
  const column = entries.length === 0 ? 0 : columnOf(text, entries[0]!.from);
  const endOf = (entry: Entry): number => endOfLines(text, endOfText(text, entry), column);
  return {
    column,
    count: entries.length,
    at(place) {
      const entry = entries[place];
      if (entry === undefined) return undefined;
      const lineStart = startOfLine(text, entry.from);
      const isInline = text.slice(lineStart, entry.from).trim() !== '';
      const limit = place === 0 ? Number.NEGATIVE_INFINITY : endOf(entries[place - 1]!);
      const from = isInline ? entry.from : startOfComments(text, lineStart, limit, column);
      return { entry, from, to: endOf(entry), isInline };
    },
  };
}

export const startOfLine = (text: string, at: number): number =>
  // Asked from before the text, `lastIndexOf` would look at its first character still.
  at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;

/** Behind the line break; the end of the text in its last line. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

export function columnOf(text: string, at: number): number {
  const start = startOfLine(text, at);
  return at - (start === 0 && text.startsWith('\uFEFF') ? 1 : start);
}

/** A block scalar ends with its last line that is not blank, unless it keeps blank ones. */
function endOfText(text: string, entry: Entry): number {
  const end = endOfEntry(text, entry);
  let value = entry.value;
  while (isBlockCollection(value)) value = entriesOf(value).at(-1)?.value ?? null;
  const isKept = isBlockScalar(value) && /^[|>][0-9]?\+/.test(text.slice(value.range![0]));
  return isKept ? end : entry.from + text.slice(entry.from, end).trimEnd().length;
}

/** Comment lines right above, not indented more than the entry. */
function startOfComments(text: string, lineStart: number, limit: number, column: number): number {
  let from = lineStart;
  while (from > 0 && from > limit) {
    const above = startOfLine(text, from - 1);
    if (above < limit || !isComment(text.slice(above, from), 0, column)) break;
    from = above;
  }
  return from;
}

/** To behind the line, and behind comment lines that are indented more than the entry. */
function endOfLines(text: string, end: number, column: number): number {
  let to = endOfLine(text, end);
  while (to < text.length) {
    const next = endOfLine(text, to);
    if (!isComment(text.slice(to, next), column + 1, Number.POSITIVE_INFINITY)) break;
    to = next;
  }
  return to;
}

function isComment(line: string, least: number, most: number): boolean {
  const column = line.search(/\S/);
  return column >= least && column <= most && line[column] === '#';
}
