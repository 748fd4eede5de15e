import { composeChanges, type ChangeSet } from '../text-change.ts';

/**
 * Combines successive changes, each with offsets of the text after the previous one, into one set. Omits changes that
 * cancel each other out.
 * @param text the text before the first change
 */
export function combine(text: string, ...edits: readonly ChangeSet[]): ChangeSet {
  const changes = edits.reduce<ChangeSet>(composeChanges, []);
  return changes.filter(({ from, to, insert }) => text.slice(from, to) !== insert);
}
