import type { ChangeSet } from '../../text-change.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { entriesOf, isFlow, type Collection } from '../../yaml/entries/entries.ts';
import { orderInFlow } from '../../yaml/entries/flow-entries.ts';
import { moveLines } from '../../yaml/move-lines.ts';
import { normalizeChanges } from '../../yaml/splice.ts';

/**
 * Moves an entry within its list or map, with its lines and comments. Blank lines keep their positions.
 * @param to index after the move
 */
export function moveEntry(
  editable: EditableText,
  collection: Collection,
  from: number,
  to: number,
): ChangeSet {
  if (from === to) return [];
  const entries = entriesOf(collection);
  if (!isFlow(collection)) return normalizeChanges(moveLines(editable, entries, from, to));
  const [first, end] = [Math.min(from, to), Math.max(from, to) + 1];
  const order = entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!);
  return normalizeChanges(orderInFlow(editable.text, entries.slice(first, end), order.slice(first, end)));
}
