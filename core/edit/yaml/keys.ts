import { isAlias, isMap, type Scalar } from 'yaml';
import { authoredKeys } from '../../spec/authored-keys.ts';
import { normalizeKey, keyAliases } from '../../spec/foreign-fields.ts';
import type { EditResult } from '../text-change.ts';
import type { NodePath } from '../outline.ts';
import { getKeyText } from '../step-fields.ts';
import type { EditableText } from './editable-text.ts';
import { isFlow, type Entry, getEntries } from './entries.ts';
import { findSharedContainer, findSharedValue, findBrokenOrder } from './guard-anchors.ts';
import { withName } from './read-value.ts';
import { explainMergeKey, editInherited } from './set-value.ts';
import { accept, reject } from './text-edits.ts';
import { findEntries, findMerge, walk, type Walk, formatPath } from './walk.ts';
import { keyText } from './render.ts';
import type { Quotes } from './scalar-text.ts';
import { orderInFlow } from './flow-entries.ts';
import { moveLines } from './block-lines.ts';

/**
 * Renames a key; its value, position and comments stay. Rejected if the map already has a key of that name, or if `<<`
 * supplies the key.
 * @param address address of the value
 */
export function renameKey(editable: EditableText, address: NodePath, key: string): EditResult {
  const old = address.path.at(-1);
  if (old === undefined) return reject('Only keys can be renamed, not a document.');
  if (address.path.includes('<<')) return reject(explainMergeKey());
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
    return reject(`${formatPath(map.path)} is not a map, so its fields cannot be reordered.`);
  const mapEntries = getEntries(node);
  const [from, position] = [key, to].map((text) =>
    mapEntries.findIndex((one) => getKeyText(one.key) === text),
  );
  if (from === -1 || position === -1)
    return reject(`${formatPath(map.path)} has no field "${from === -1 ? key : to}" of its own.`);
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

/** Kinds of maps that have a fixed set of keys. */
export type MapKind = keyof typeof authoredKeys;

/** Whether a key is a spelling of a canonical key. A key that is canonical itself never matches another one. */
export function isKeySpelling(written: string, canonicalName: string, kind: MapKind): boolean {
  if (written === canonicalName) return true;
  const keys: readonly string[] = authoredKeys[kind];
  if (keys.includes(written)) return false;
  const aliases: Readonly<Record<string, string>> =
    kind in keyAliases ? keyAliases[kind as keyof typeof keyAliases] : {};
  const folded = normalizeKey(written);
  const alias = Object.entries(aliases).find(([word]) => normalizeKey(word) === folded);
  return alias === undefined ? normalizeKey(canonicalName) === folded : alias[1] === canonicalName;
}
