import type { LucideIcon } from 'lucide-react';
import type { RunStatus } from '../../../core/model/run/status.ts';

/** A line of the palette. */
export interface Entry {
  /** Unique in the whole palette. */
  readonly id: string;
  readonly title: string;
  /** Beside the title, fainter: where it is, when it was. */
  readonly note?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Its shape stands instead of an icon. */
  readonly status?: RunStatus | undefined;
  /** The keys that do the same without the palette. */
  readonly keys?: string | undefined;
  /** Why it cannot be done; the entry is shown and says so. */
  readonly unavailable?: string | undefined;
  /** Words by which it is found besides title and note. */
  readonly words?: string;
  readonly run: () => void;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well an entry answers the query: 0 not at all, more is better. */
export function rankEntry({ title, note = '', words = '' }: Entry, query: string): number {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return 1;
  const head = title.toLowerCase();
  const all = `${head} ${note} ${words}`.toLowerCase();
  if (!wanted.every((word) => all.includes(word))) return 0;
  const [first = ''] = wanted;
  if (head.startsWith(wanted.join(' '))) return 4;
  if (wordsOf(head).some((word) => word.startsWith(first))) return 3;
  return head.includes(first) ? 2 : 1;
}

/** The entries that answer the query, the best first, at most `most`. */
export function findEntries(entries: readonly Entry[], query: string, most: number): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, query) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}
