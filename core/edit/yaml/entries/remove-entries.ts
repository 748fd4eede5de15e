import type { TextChange } from '../../text-change.ts';
import { writeValue, type ParentRef } from './add-entry.ts';
import { removeLines } from './block-entries.ts';
import { isBarePair, isFlow, type Collection, type Entry } from './entries.ts';
import { removeInFlow } from './flow-entries.ts';

/** Removes entries of one collection, in order. */
export function removeEntries(
  holder: ParentRef,
  collection: Collection,
  removed: readonly Entry[],
): TextChange[] {
  const { editable, entry } = holder;
  if (isBarePair(collection)) return writeValue(holder, {});
  return isFlow(collection)
    ? removeInFlow(editable.text, collection, removed)
    : removeLines(editable, collection, removed, entry);
}
