import type { ChangeSet } from '../../../core/edit/text-change.ts';

/** The changes that turn the text after into the text before. */
export function invertChanges(text: string, changes: ChangeSet): ChangeSet {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}
