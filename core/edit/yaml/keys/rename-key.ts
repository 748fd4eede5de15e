import { isAlias, isMap, type Scalar } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import type { NodePath } from '../../outline.ts';
import type { EditableText } from '../editable-text.ts';
import { isFlow, type Entry } from '../entries/entries.ts';
import { findSharedContainer, findSharedValue } from '../anchors/guard-anchors.ts';
import { withName } from '../plain-edits.ts';
import { describeMergeKey, editInherited } from '../values/set-value.ts';
import { accept, reject } from '../splice.ts';
import { findEntries, findMerge, walk, type Walk } from '../walk.ts';
import { keyText } from '../write/render.ts';
import type { Quotes } from '../write/scalar-text.ts';

/**
 * Renames a key; its value, position and comments stay. Rejected if the map already has a key of that name, or if `<<`
 * supplies the key.
 * @param address address of the value
 */
export function renameKey(editable: EditableText, address: NodePath, key: string): EditResult {
  const old = address.path.at(-1);
  if (old === undefined) return reject('Only keys can be renamed, not a document.');
  if (address.path.includes('<<')) return reject(describeMergeKey());
  const way = walk(editable, address);
  if ('reason' in way) return reject(way.reason);
  if (key === old) return accept([]);
  if (way.end === 'alias') return renameAway(editable, way, address, key);
  if (way.end === 'inherited') return rejectInherited(editable, way);
  const entry = way.entries.at(-1);
  if (way.end !== 'found' || entry?.key === undefined || !isMap(entry.collection)) {
    return reject(`Key "${String(old)}" not found.`);
  }
  const { document, entries } = way;
  if (findMerge(document, entry.collection, String(old)) !== undefined) return rejectInherited(editable, way);
  const [other] = findEntries(entry.collection, key);
  if (other !== undefined || findMerge(document, entry.collection, key) !== undefined) {
    const { line } = editable.lines.locate((other ?? entry).from);
    return reject(`Key "${key}" already exists in line ${line}. Choose another name.`);
  }
  const path = (name: string): NodePath['path'] => [...address.path.slice(0, -1), name];
  const reason =
    findSharedContainer(editable, document, entries, path(String(old))) ??
    findSharedContainer(editable, document, entries, path(key)) ??
    findSharedValue(editable, document, [{ from: entry.from, to: entry.key.range![1] }]);
  return reason === undefined ? accept([writeKey(entry, key)]) : reject(reason);
}

function writeKey({ key, collection }: Entry, name: string): { from: number; to: number; insert: string } {
  const { type, range } = key as Scalar;
  const quotes: Quotes = type === 'QUOTE_DOUBLE' ? 'double' : type === 'QUOTE_SINGLE' ? 'single' : 'none';
  const [from, to] = range!;
  return { from, to, insert: keyText(name, isFlow(collection), quotes) };
}

function renameAway(editable: EditableText, way: Walk, address: NodePath, key: string): EditResult {
  const rest = way.rest.slice(0, -1);
  const shorter = { ...address, path: address.path.slice(0, -1) };
  return editInherited(editable, { ...way, rest }, shorter, withName(String(address.path.at(-1)), key));
}

function rejectInherited({ lines }: EditableText, { merge, node, entries }: Walk): EditResult {
  const at = merge?.range?.[0] ?? (isAlias(node) ? node.range![0] : (entries.at(-1)?.from ?? 0));
  const { line } = lines.locate(at);
  return reject(`The map also gets this key from "<<" in line ${line}. Change the "<<" in the source first.`);
}
