import { isAlias, isSeq, type YAMLSeq } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import type { EditResult, EditRejection } from '../../edit-result.ts';
import type { NodePath } from '../../outline.ts';
import { addItems, writeValue, type ParentRef } from './add-entry.ts';
import { moveLines } from '../move-lines.ts';
import type { EditableText } from '../editable-text.ts';
import { entriesOf, isFlow } from './entries.ts';
import { orderInFlow } from './flow-entries.ts';
import { findBrokenOrder, findSharedContainer } from '../anchors/guard-anchors.ts';
import { withItem, withMove } from '../plain-edits.ts';
import { prepare } from '../values/prepare-content.ts';
import type { RawYaml } from '../values/raw-yaml.ts';
import { describeMergeKey, editInherited } from '../values/set-value.ts';
import { accept, reject } from '../splice.ts';
import { describePath, isNullOrEmpty, walk, type Walk } from '../walk.ts';

/**
 * Inserts an item into a list in the style of the others: indentation, brackets, one line each, blank lines between.
 * The first item of an empty `[]` stays inside the brackets if it is a short single-line string. Creates a missing
 * list.
 * @param list address of the list
 * @param index index of the item afterwards; the length of the list to append
 */
export function insertItem(
  editable: EditableText,
  list: NodePath,
  index: number,
  value: JsonValue | RawYaml,
): EditResult {
  const way = walkToList(editable, list);
  if ('ok' in way) return way;
  const { document, entries, node } = way;
  const holder: ParentRef = { editable, document, entry: entries.at(-1) };
  const items = isSeq(node) ? entriesOf(node) : [];
  const offset = items[index]?.from ?? document.range[1];
  const inFlow = isSeq(node) && isFlow(node) && items.length > 0;
  const prepared = prepare(editable, { document: list.document, offset, inFlow }, value);
  if ('reason' in prepared) return reject(prepared.reason);
  if (!Number.isInteger(index) || index < 0) return reject(describeNoItem(list, index));
  if (way.end !== 'found') return editInherited(editable, way, list, withItem(index, prepared.content));
  if (index > items.length) return reject(describeNoItem(list, index));
  const reason = findSharedContainer(editable, document, entries, [...list.path, index]);
  if (reason !== undefined) return reject(reason);
  return accept(
    isSeq(node) ? addItems(holder, node, index, [prepared.content]) : writeValue(holder, [prepared.content]),
  );
}

/**
 * Moves an item of a list with its lines and comments.
 * @param list address of the list
 * @param to index of the item afterwards
 */
export function moveItem(editable: EditableText, list: NodePath, from: number, to: number): EditResult {
  const way = walkToList(editable, list);
  if ('ok' in way) return way;
  const { document, entries, node } = way;
  if (way.end !== 'found') {
    return from === to ? accept([]) : editInherited(editable, way, list, withMove(from, to));
  }
  const items = isSeq(node) ? entriesOf(node) : [];
  for (const index of [from, to]) if (items[index] === undefined) return reject(describeNoItem(list, index));
  if (from === to) return accept([]);
  const order = items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);
  const reason =
    findSharedContainer(editable, document, entries, [...list.path, from]) ??
    findBrokenOrder(editable, document, items, order);
  if (reason !== undefined) return reject(reason);
  const [first, last] = [Math.min(from, to), Math.max(from, to) + 1];
  return accept(
    isFlow(node as YAMLSeq)
      ? orderInFlow(editable.text, items.slice(first, last), order.slice(first, last))
      : moveLines(editable, items, from, to),
  );
}

function walkToList(editable: EditableText, list: NodePath): Walk | EditRejection {
  if (list.path.includes('<<')) return reject(describeMergeKey());
  const way = walk(editable, list);
  if ('reason' in way) return reject(way.reason);
  const { node, end } = way;
  if (end === 'found' && isAlias(node)) return { ...way, end: 'alias', rest: [] };
  if (end !== 'found' || isSeq(node) || isNullOrEmpty(node)) return way;
  return reject(`${describePath(list.path)} is not a list.`);
}

function describeNoItem({ path }: NodePath, index: number): string {
  return `${describePath(path)} has no item ${index}.`;
}
