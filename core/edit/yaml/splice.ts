import type { EditResult, EditRejection } from '../edit-result.ts';
import type { ChangeSet, TextChange } from '../text-change.ts';

/** Returns an edit with these changes, in any order. */
export function accept(changes: readonly TextChange[]): EditResult {
  return { ok: true, changes: normalizeChanges(changes) };
}

export function reject(reason: string): EditRejection {
  return { ok: false, reason };
}

/** Sorts changes in the order of the text, joins adjacent ones and removes those without effect. */
export function normalizeChanges(changes: readonly TextChange[]): ChangeSet {
  const arranged: TextChange[] = [];
  const sorted = changes
    .filter(({ from, to, insert }) => from !== to || insert !== '')
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  for (const change of sorted) {
    const last = arranged.at(-1);
    if (last === undefined || change.from > last.to) {
      arranged.push(change);
      continue;
    }
    const to = Math.max(last.to, change.to);
    arranged[arranged.length - 1] = { from: last.from, to, insert: last.insert + change.insert };
  }
  return arranged;
}
