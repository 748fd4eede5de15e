import type { CST } from 'yaml';
import type { TextChange } from '../text-change.ts';
import { getEntryEnd, getEntries, type Collection, type Entry, tokenShift } from './entries.ts';
import { isBlankFrom, isFirstOnLine, getLineBreak, lineEnd, lineStart, nextLine } from './text-edits.ts';

/**
 * Inserts an entry into a list or map in flow style, before another or at the end: after a comma on the same line, or
 * on a separate line if the neighbors are.
 */
export function insertInFlow(
  text: string,
  collection: Collection,
  index: number,
  insert: string,
): TextChange[] {
  const entries = getEntries(collection);
  const open = collection.range![0] + 1;
  if (entries.length === 0) return [fillEmpty(text, collection, insert)];
  const next = entries[index];
  if (next !== undefined) return [{ from: next.from, to: next.from, insert: insert + separator(text, next) }];
  const last = entries.at(-1)!;
  const end = getEntryEnd(text, last);
  const comma = commaAfter(text, collection, last);
  const lead =
    isFirstOnLine(text, last.from) && lineStart(text, last.from) > open ? separator(text, last) : ', ';
  if (lead === ', ') {
    return comma === undefined
      ? [{ from: end, to: end, insert: `, ${insert}` }]
      : [{ from: comma + 1, to: comma + 1, insert: ` ${insert},` }];
  }
  // After a comment of the last entry, which stays on its line.
  const at = findLineEnd(text, collection, comma === undefined ? end : comma + 1);
  const tail = comma === undefined ? '' : ',';
  const pushed = { from: at, to: at, insert: `${lead.slice(1)}${insert}${tail}` };
  return comma === undefined ? [{ from: end, to: end, insert: ',' }, pushed] : [pushed];
}

/** Returns `, `, or a comma with a line break and indentation if the entry is on a separate line. */
function separator(text: string, entry: Entry): string {
  if (!isFirstOnLine(text, entry.from)) return ', ';
  const start = lineStart(text, entry.from);
  return `,${getLineBreak(text)}${text.slice(start, entry.from)}`;
}

function fillEmpty(text: string, collection: Collection, insert: string): TextChange {
  const [open, end] = collection.range!;
  const inner = text.slice(open + 1, end - 1);
  // Empty brackets may contain comments.
  if (inner.trim() !== '')
    return { from: open + 1, to: open + 1, insert: inner.startsWith('#') ? `${insert} ` : insert };
  return { from: open + 1, to: end - 1, insert };
}

/** Removes entries from brackets with one comma each, and with their lines if they are alone on them. */
export function removeInFlow(text: string, collection: Collection, removed: readonly Entry[]): TextChange[] {
  const entries = getEntries(collection);
  const retained = entries.filter((entry) => !removed.includes(entry));
  const changes = removed.map((entry) => removeEntry(text, collection, entry));
  const last = retained.at(-1);
  if (last === undefined) return mergeAll(text, collection, removed);
  const hadTrailingComma = commaAfter(text, collection, entries.at(-1)!) !== undefined;
  const comma = commaAfter(text, collection, last);
  if (last === entries.at(-1) || hadTrailingComma || comma === undefined) return changes;
  // The entry that is now the last one had a comma because another followed.
  const blanks = removesUpToNext(changes, comma + 1) ? '' : trailingBlanks(text, comma + 1);
  return [{ from: comma, to: comma + 1 + blanks.length, insert: '' }, ...changes];
}

function removesUpToNext(changes: readonly TextChange[], at: number): boolean {
  return changes.some(({ from }) => from === at);
}

function trailingBlanks(text: string, at: number): string {
  const blanks = /^[ \t]*/.exec(text.slice(at))![0];
  return text[at + blanks.length] === '#' || isBlankFrom(text, at) ? '' : blanks;
}

function removeEntry(text: string, collection: Collection, entry: Entry): TextChange {
  const comma = commaAfter(text, collection, entry);
  const end = comma === undefined ? getEntryEnd(text, entry) : comma + 1;
  const lineTo = findLineEnd(text, collection, end);
  if (
    isFirstOnLine(text, entry.from) &&
    isTrailingComment(text, end, lineTo) &&
    lineTo === lineEnd(text, end)
  ) {
    return { from: lineStart(text, entry.from), to: nextLine(text, end), insert: '' };
  }
  const next = getEntries(collection)[entry.index + 1];
  if (next !== undefined && /^[ \t]*$/.test(text.slice(end, next.from))) {
    return { from: entry.from, to: next.from, insert: '' };
  }
  const lead = /[ \t]*$/.exec(text.slice(collection.range![0] + 1, entry.from))![0].length;
  return { from: next === undefined ? entry.from - lead : entry.from, to: end, insert: '' };
}

/** If nothing is left, removes blanks, too, but keeps comments. */
function mergeAll(text: string, collection: Collection, removed: readonly Entry[]): TextChange[] {
  const [open, end] = collection.range!;
  const inner = text.slice(open + 1, end - 1);
  if (!inner.includes('#')) return [{ from: open + 1, to: end - 1, insert: '' }];
  return removed.map((entry) => {
    const comma = commaAfter(text, collection, entry);
    return { from: entry.from, to: comma === undefined ? getEntryEnd(text, entry) : comma + 1, insert: '' };
  });
}

function isTrailingComment(text: string, from: number, to: number): boolean {
  return /^[ \t]*(?:#.*)?$/.test(text.slice(from, to));
}

/** Returns the end of the line, or of the collection if it is on the same line. */
function findLineEnd(text: string, collection: Collection, at: number): number {
  return Math.min(lineEnd(text, at), Math.max(at, collection.range![1] - 1));
}

/** Reorders the texts of entries; commas, line breaks and comments stay where they are. */
export function orderInFlow(text: string, before: readonly Entry[], after: readonly Entry[]): TextChange[] {
  return before.map((entry, position) => ({
    from: entry.from,
    to: getEntryEnd(text, entry),
    insert: text.slice(after[position]!.from, getEntryEnd(text, after[position]!)),
  }));
}

/** Returns the offset of the comma after an entry, if there is one. */
function commaAfter(text: string, collection: Collection, entry: Entry): number | undefined {
  const end = getEntryEnd(text, entry);
  const next = getEntries(collection)[entry.index + 1];
  const { items } = collection.srcToken as CST.FlowCollection;
  for (const { start } of items) {
    for (const token of start) {
      const at = token.offset + tokenShift(collection);
      if (token.type === 'comma' && at >= end && (next === undefined || at < next.from)) return at;
    }
  }
  return undefined;
}
