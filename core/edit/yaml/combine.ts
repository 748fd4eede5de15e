import { composeChanges, type ChangeSet } from '../text-change.ts';

/**
 * One set of changes from successive ones, each with offsets of the text after the one before. What comes to nothing in
 * the end is left out.
 * @param text before the first of them
 */
export function combine(text: string, ...edits: readonly ChangeSet[]): ChangeSet {
  const changes = edits.reduce<ChangeSet>(composeChanges, []);
  return changes.filter(({ from, to, insert }) => text.slice(from, to) !== insert);
}
