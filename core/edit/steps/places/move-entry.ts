import type { ChangeSet } from '../../text-change.ts';
import { endOfEntry, entriesOf, isFlow, type Collection } from '../../yaml/entries.ts';
import { columnOf, readEntryLines, type EntryRange } from './entry-lines.ts';
import { inLineEnds } from './insert-steps.ts';
import { removeEntries } from './remove-entries.ts';

/**
 * Moves an entry within its list or map, with its lines and comments. Blank lines stay between the same places.
 * @param to the place it has afterwards
 */
export function moveEntry(text: string, collection: Collection, from: number, to: number): ChangeSet {
  if (from === to) return [];
  return isFlow(collection) ? moveInFlow(text, collection, from, to) : moveLines(text, collection, from, to);
}

function moveLines(text: string, collection: Collection, from: number, to: number): ChangeSet {
  const { entries, column } = readEntryLines(text, collection);
  const removed = removeEntries(text, collection, new Set([from]));
  const moved = linesOf(text, entries[from]!, column);
  const target = entries[to]!;
  if (to > from) {
    const gap = blankBetween(text, entries[from]!, entries[from + 1]!);
    const isOpen = text[target.to - 1] !== '\n';
    const lines = isOpen ? inLineEnds(text, '\n') + gap + moved.replace(/\r?\n$/, '') : gap + moved;
    return [...removed, { from: target.to, to: target.to, insert: lines }];
  }
  const gap = blankBetween(text, entries[from - 1]!, entries[from]!);
  const lines = target.isInline
    ? moved.slice(column) + gap + ' '.repeat(columnOf(text, target.from))
    : moved + gap;
  return [{ from: target.from, to: target.from, insert: lines }, ...removed];
}

/** Whole lines, with a line break at the end. */
export function linesOf(text: string, { from, to, isInline }: EntryRange, column: number): string {
  const lines = (isInline ? ' '.repeat(column) : '') + text.slice(from, to);
  return lines.endsWith('\n') ? lines : lines + inLineEnds(text, '\n');
}

function blankBetween(text: string, before: EntryRange, behind: EntryRange): string {
  const gap = text.slice(before.to, behind.from);
  return gap.trim() === '' && gap.endsWith('\n') ? gap : '';
}

function moveInFlow(text: string, collection: Collection, from: number, to: number): ChangeSet {
  const entries = entriesOf(collection);
  const removed = removeEntries(text, collection, new Set([from]));
  const moved = text.slice(entries[from]!.from, endOfEntry(text, entries[from]!));
  if (to < from) {
    const at = entries[to]!.from;
    return [{ from: at, to: at, insert: `${moved}, ` }, ...removed];
  }
  const at = endOfEntry(text, entries[to]!);
  return [...removed, { from: at, to: at, insert: `, ${moved}` }];
}
