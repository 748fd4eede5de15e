import type { LucideIcon } from 'lucide-react';
import type { RunStatus } from '../../../core/model/run/status.ts';

/** An entry of the palette. */
export interface Entry {
  /** Unique in the palette. */
  readonly id: string;
  readonly title: string;
  /** Muted text next to the title: location or time. */
  readonly note?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Its status icon replaces the icon. */
  readonly status?: RunStatus | undefined;
  /** The shortcut of the same action. */
  readonly keys?: string | undefined;
  /** Why it is unavailable; the entry is shown with the reason. */
  readonly unavailable?: string | undefined;
  /** Additional search terms. */
  readonly words?: string;
  readonly run: () => void;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Scores an entry for the query: 0 for no match, higher is better. */
export function rankEntry({ title, note = '', words = '' }: Entry, query: string): number {
  const searchWords = wordsOf(query);
  if (searchWords.length === 0) return 1;
  const head = title.toLowerCase();
  const all = `${head} ${note} ${words}`.toLowerCase();
  if (!searchWords.every((word) => all.includes(word))) return 0;
  const [first = ''] = searchWords;
  if (head.startsWith(searchWords.join(' '))) return 4;
  if (wordsOf(head).some((word) => word.startsWith(first))) return 3;
  return head.includes(first) ? 2 : 1;
}

/** Returns up to `most` entries that match the query, best first. */
export function findEntries(entries: readonly Entry[], query: string, max: number): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, query) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, max)
    .map(({ entry }) => entry);
}
