import type { TextChange } from '../../text-change.ts';
import { entriesOf, type Collection } from '../../yaml/entries/entries.ts';
import { removeEntries as removeFrom } from '../../yaml/entries/remove-entries.ts';
import type { OpenWorkflow } from '../open-workflow.ts';

/**
 * Removes entries from a list or map of steps or names, with their lines and comments. At least one entry must remain.
 */
export function removeEntries(
  { editable, document }: OpenWorkflow,
  collection: Collection,
  positions: ReadonlySet<number>,
): TextChange[] {
  const removed = entriesOf(collection).filter(({ index }) => positions.has(index));
  return removed.length === 0
    ? []
    : removeFrom({ editable, document, entry: undefined }, collection, removed);
}
