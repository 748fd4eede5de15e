import type { ChangeSet, TextChange } from '../../text-change.ts';
import { endOfEntry, entriesOf, isFlow, type Collection } from '../../yaml/entries.ts';
import { readEntryLines, type EntryLines, type EntryRange } from './entry-lines.ts';

/**
 * Takes entries out of a list or map, with their lines and comments, and with the blank lines that set each off from the
 * next. At least one entry must stay.
 */
export function removeEntries(text: string, collection: Collection, places: ReadonlySet<number>): ChangeSet {
  return isFlow(collection)
    ? removeFromFlow(text, collection, places)
    : removeLines(text, readEntryLines(text, collection), places);
}

function removeLines(text: string, { entries }: EntryLines, places: ReadonlySet<number>): ChangeSet {
  const lastKept = entries.findLastIndex((_, place) => !places.has(place));
  return entries.flatMap((range, place): TextChange[] => {
    if (!places.has(place)) return [];
    const next = entries[place + 1];
    if (place < lastKept) return [{ from: range.from, to: upTo(range, next!, text), insert: '' }];
    const before = entries[place - 1]!;
    const isBlank = text.slice(before.to, range.from).trim() === '';
    const from = isBlank ? before.to : range.from;
    // A text that ends without a line break goes on doing so.
    const isOpen = place === lastKept + 1 && text[entries.at(-1)!.to - 1] !== '\n';
    return [{ from: isOpen ? from - (text[from - 2] === '\r' ? 2 : 1) : from, to: range.to, insert: '' }];
  });
}

/** The next entry takes the place of one that begins on the line of its list. */
function upTo(range: EntryRange, next: EntryRange, text: string): number {
  const isBlank = text.slice(range.to, next.from).trim() === '';
  if (range.isInline) return next.from + text.slice(next.from).search(/\S/);
  return isBlank ? next.from : range.to;
}

function removeFromFlow(text: string, collection: Collection, places: ReadonlySet<number>): ChangeSet {
  const entries = entriesOf(collection);
  const lastKept = entries.findLastIndex((_, place) => !places.has(place));
  return entries.flatMap((entry, place): TextChange[] => {
    if (!places.has(place)) return [];
    if (place < lastKept) return [{ from: entry.from, to: entries[place + 1]!.from, insert: '' }];
    return [{ from: endOfEntry(text, entries[place - 1]!), to: endOfEntry(text, entry), insert: '' }];
  });
}
