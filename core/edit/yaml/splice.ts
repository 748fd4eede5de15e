import type { EditResult, Refusal } from '../edit-result.ts';
import type { ChangeSet, TextChange } from '../text-change.ts';

/** An edit that is made of these changes, in whatever order they come. */
export function accept(changes: readonly TextChange[]): EditResult {
  return { ok: true, changes: arrange(changes) };
}

export function refuse(reason: string): Refusal {
  return { ok: false, reason };
}

/** In the order of the text; changes that touch become one, and those that do nothing go. */
export function arrange(changes: readonly TextChange[]): ChangeSet {
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
