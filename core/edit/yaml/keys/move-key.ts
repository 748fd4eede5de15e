import { isMap } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import type { NodePath } from '../../outline.ts';
import { textOfKey } from '../../outline/fields.ts';
import type { EditableText } from '../editable-text.ts';
import { entriesOf, isFlow } from '../entries/entries.ts';
import { orderInFlow } from '../entries/flow-entries.ts';
import { findBrokenOrder, findSharedContainer } from '../anchors/guard-anchors.ts';
import { moveLines } from '../move-lines.ts';
import { accept, reject } from '../splice.ts';
import { describePath, walk } from '../walk.ts';

/**
 * Moves an entry of a map to the position of another one, with its lines and comments.
 * @param map address of the map
 * @param key key of the entry as written
 * @param to key of the entry whose position it gets
 */
export function moveKey(editable: EditableText, map: NodePath, key: string, to: string): EditResult {
  const way = walk(editable, map);
  if ('reason' in way) return reject(way.reason);
  const { document, entries, node, end } = way;
  if (end !== 'found' || !isMap(node))
    return reject(`${describePath(map.path)} is not a map, so its fields cannot be reordered.`);
  const mapEntries = entriesOf(node);
  const [from, position] = [key, to].map((wanted) =>
    mapEntries.findIndex((one) => textOfKey(one.key) === wanted),
  );
  if (from === -1 || position === -1)
    return reject(`${describePath(map.path)} has no field "${from === -1 ? key : to}" of its own.`);
  if (from === position) return accept([]);
  const order = mapEntries.toSpliced(from!, 1).toSpliced(position!, 0, mapEntries[from!]!);
  const reason =
    findSharedContainer(editable, document, entries, [...map.path, key]) ??
    findBrokenOrder(editable, document, mapEntries, order);
  if (reason !== undefined) return reject(reason);
  const [first, last] = [Math.min(from!, position!), Math.max(from!, position!) + 1];
  return accept(
    isFlow(node)
      ? orderInFlow(editable.text, mapEntries.slice(first, last), order.slice(first, last))
      : moveLines(editable, mapEntries, from!, position!),
  );
}
