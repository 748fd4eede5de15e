import { isCollection, isMap, isSeq } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import type { EditResult } from '../../edit-result.ts';
import type { NodePath } from '../../outline.ts';
import type { TextChange } from '../../text-change.ts';
import { addItems, addPairs, writeValue, type ParentRef } from '../entries/add-entry.ts';
import type { EditableText } from '../editable-text.ts';
import { endOfEntry, endOfNode, isFlow } from '../entries/entries.ts';
import { findSharedContainer, findSharedValue } from '../anchors/guard-anchors.ts';
import { editAtPath, type PlainEdit } from '../plain-edits.ts';
import { plainValue } from './plain-value.ts';
import { prepare, type Destination } from './prepare-content.ts';
import type { Content, RawYaml } from './raw-yaml.ts';
import { rewriteValue } from './rewrite-value.ts';
import { accept, reject } from '../splice.ts';
import { describePath, walk, type Walk } from '../walk.ts';

/**
 * Sets the value at an address, or adds it: a key at the end of its map, an item at the end of its list. Creates
 * missing lists and maps of the path.
 * - Only differences are written: an equal value is no change, and in a list or map only the parts that differ.
 * - A scalar keeps its quotes or block style if they can contain the new value. A string with several lines becomes
 *   `|`, inside brackets a double-quoted string.
 * - An alias at the address, or in the path, is replaced by a separate value; a key that `<<` supplies is added to the
 *   map. The anchored value never changes.
 * - Rejected: values with an anchor that is used elsewhere, duplicate keys, and invalid YAML.
 */
export function setValue(editable: EditableText, address: NodePath, value: JsonValue | RawYaml): EditResult {
  if (address.path.length === 0)
    return reject('Only fields of a workflow can be set. Edit the source instead.');
  if (address.path.some((part) => part === '<<')) return reject(describeMergeKey());
  const way = walk(editable, address);
  if ('reason' in way) return reject(way.reason);
  const prepared = prepare(editable, destinationOf(editable, address, way), value);
  if ('reason' in prepared) return reject(prepared.reason);
  if (way.end === 'found') return replaceExisting(editable, way, address, prepared.content);
  return editInherited(editable, way, address, () => prepared.content);
}

function destinationOf(
  { text }: EditableText,
  { document }: NodePath,
  { end, entries, node }: Walk,
): Destination {
  const last = entries.at(-1);
  if (end === 'found') return { document, offset: last!.mark, inFlow: isFlow(last!.collection) };
  const inFlow = isCollection(node) ? isFlow(node) : last !== undefined && isFlow(last.collection);
  return { document, offset: node === null ? (last?.open ?? text.length) : endOfNode(text, node), inFlow };
}

function replaceExisting(
  editable: EditableText,
  way: Walk,
  { path }: NodePath,
  content: Content,
): EditResult {
  const { document, entries } = way;
  const entry = entries.at(-1)!;
  const changes = rewriteValue({ editable, document, entry }, content);
  if (changes.length === 0) return accept([]);
  const inside = findSharedValue(editable, document, [
    { from: entry.mark, to: endOfEntry(editable.text, entry) },
  ]);
  const reason = findSharedContainer(editable, document, entries, path) ?? inside;
  return reason === undefined ? accept(changes) : reject(reason);
}

/** Edits plain data if the text has no separate value at the address: behind an alias, from `<<`, or missing. */
export function editInherited(
  editable: EditableText,
  way: Walk,
  address: NodePath,
  edit: PlainEdit,
): EditResult {
  const { document, entries, node, rest, end } = way;
  const holder: ParentRef = { editable, document, entry: entries.at(-1) };
  const done = address.path.slice(0, address.path.length - rest.length);
  if (end === 'no-container') {
    return reject(
      `${describePath(done)} is neither a list nor a map, so ${describePath(rest)} cannot be set. Replace it first.`,
    );
  }
  const reason = findSharedContainer(editable, document, entries, [...done, rest[0] ?? '']);
  if (reason !== undefined) return reject(reason);
  const changes = addInherited(holder, way, node, edit);
  return changes === undefined ? reject(describeNowhere(address)) : accept(changes);
}

function addInherited(
  holder: ParentRef,
  way: Walk,
  node: Walk['node'],
  edit: PlainEdit,
): TextChange[] | undefined {
  const { rest, document, end } = way;
  const [part, ...below] = rest;
  if (end !== 'alias' && isMap(node)) {
    const inherited = end === 'inherited' ? inheritedValue(way) : null;
    const content = editAtPath(inherited, below, edit);
    return content === undefined ? undefined : addPairs(holder, node, [[String(part), content]]);
  }
  if (end !== 'alias' && isSeq(node)) {
    const content = editAtPath(null, below, edit);
    return content === undefined ? undefined : addItems(holder, node, node.items.length, [content]);
  }
  const content = editAtPath(end === 'alias' ? plainValue(document, node) : null, rest, edit);
  return content === undefined ? undefined : writeValue(holder, content);
}

function inheritedValue({ document, node, rest }: Walk): Content {
  const map = plainValue(document, node) as { readonly [key: string]: Content };
  return map[String(rest[0])] ?? null;
}

function describeNowhere({ path }: NodePath): string {
  return `Invalid path ${describePath(path)}: use numbers for list items and keys for maps. Edit the source instead.`;
}

export function describeMergeKey(): string {
  return 'The merge key << copies fields of another map. Edit it in the source.';
}
