import { isCollection, isMap, isSeq, isAlias, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import type { EditResult, TextChange, EditRejection } from '../text-change.ts';
import type { NodePath } from '../outline.ts';
import { addItems, addPairs, writeValue, type ParentRef, removeEntries } from './add-entry.ts';
import type { EditableText } from './editable-text.ts';
import { getEntryEnd, getNodeEnd, isFlow, getEntries, isBarePair, type Entry } from './entries.ts';
import { findSharedContainer, findSharedValue, findBrokenOrder } from './guard-anchors.ts';
import {
  editAtPath,
  type PlainEdit,
  plainValue,
  type Content,
  RawYaml,
  isContentMap,
  isList,
  type ContentMap,
  withItem,
  withMove,
} from './read-value.ts';
import { prepareContent, type Destination } from './prepare-content.ts';
import { accept, reject } from './text-edits.ts';
import { formatPath, walk, type Walk, isMergeKey, isNullOrEmpty } from './walk.ts';
import { moveLines } from './block-lines.ts';
import { orderInFlow } from './flow-entries.ts';

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
  if (address.path.some((part) => part === '<<')) return reject(explainMergeKey());
  const way = walk(editable, address);
  if ('reason' in way) return reject(way.reason);
  const prepared = prepareContent(editable, getDestination(editable, address, way), value);
  if ('reason' in prepared) return reject(prepared.reason);
  if (way.end === 'found') return replaceExisting(editable, way, address, prepared.content);
  return editInherited(editable, way, address, () => prepared.content);
}

function getDestination(
  { text }: EditableText,
  { document }: NodePath,
  { end, entries, node }: Walk,
): Destination {
  const last = entries.at(-1);
  if (end === 'found') return { document, offset: last!.mark, inFlow: isFlow(last!.collection) };
  const inFlow = isCollection(node) ? isFlow(node) : last !== undefined && isFlow(last.collection);
  return { document, offset: node === null ? (last?.open ?? text.length) : getNodeEnd(text, node), inFlow };
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
    { from: entry.mark, to: getEntryEnd(editable.text, entry) },
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
      `${formatPath(done)} is neither a list nor a map, so ${formatPath(rest)} cannot be set. Replace it first.`,
    );
  }
  const reason = findSharedContainer(editable, document, entries, [...done, rest[0] ?? '']);
  if (reason !== undefined) return reject(reason);
  const changes = addInherited(holder, way, node, edit);
  return changes === undefined ? reject(explainMissingPath(address)) : accept(changes);
}

function addInherited(
  holder: ParentRef,
  way: Walk,
  node: Walk['node'],
  edit: PlainEdit,
): TextChange[] | undefined {
  const { rest, document, end } = way;
  const [part, ...linesBelow] = rest;
  if (end !== 'alias' && isMap(node)) {
    const inherited = end === 'inherited' ? inheritedValue(way) : null;
    const content = editAtPath(inherited, linesBelow, edit);
    return content === undefined ? undefined : addPairs(holder, node, [[String(part), content]]);
  }
  if (end !== 'alias' && isSeq(node)) {
    const content = editAtPath(null, linesBelow, edit);
    return content === undefined ? undefined : addItems(holder, node, node.items.length, [content]);
  }
  const content = editAtPath(end === 'alias' ? plainValue(document, node) : null, rest, edit);
  return content === undefined ? undefined : writeValue(holder, content);
}

function inheritedValue({ document, node, rest }: Walk): Content {
  const map = plainValue(document, node) as { readonly [key: string]: Content };
  return map[String(rest[0])] ?? null;
}

function explainMissingPath({ path }: NodePath): string {
  return `Invalid path ${formatPath(path)}: use numbers for list items and keys for maps. Edit the source instead.`;
}

export function explainMergeKey(): string {
  return 'The merge key << copies fields of another map. Edit it in the source.';
}

/**
 * Returns the changes between the value of an entry and a new one: none for an equal value, and otherwise only where
 * they differ.
 */
function rewriteValue(holder: ParentRef, content: Content): TextChange[] {
  const { document, entry } = holder;
  const node = entry?.value ?? null;
  // YAML source has its own comments and quotes, so it is never equal.
  if (!hasRaw(content) && node !== null && isEqual(plainValue(document, node), content)) return [];
  if (content instanceof RawYaml || isAlias(node)) return writeValue(holder, content);
  if (isMap(node) && isContentMap(content))
    return rewriteMap(holder, node, content) ?? writeValue(holder, content);
  if (isSeq(node) && isList(content))
    return rewriteList(holder, node, content) ?? writeValue(holder, content);
  return writeValue(holder, content);
}

/** Returns undefined if the map should be replaced: no key stays, or the order of its keys changes. */
function rewriteMap(holder: ParentRef, map: YAMLMap, content: ContentMap): TextChange[] | undefined {
  const entries = getEntries(map);
  const names = entries.map(({ key }) => String(key!.value));
  const keys = Object.keys(content);
  const stays = names.filter((name) => Object.hasOwn(content, name));
  const isInOrder = stays.every((name, index) => keys[index] === name);
  const isSimple = !isBarePair(map) && new Set(names).size === names.length && !entries.some(isMerge);
  if (!isSimple || stays.length === 0 || !isInOrder) return undefined;
  const removed = entries.filter((_, index) => !Object.hasOwn(content, names[index]!));
  const added = keys.slice(stays.length).map((key) => [key, content[key]!] as const);
  // New keys are inserted after the last entry, which must exist.
  if (added.length > 0 && removed.includes(entries.at(-1)!)) return undefined;
  return [
    ...entries.flatMap((entry, index) => {
      const name = names[index]!;
      return Object.hasOwn(content, name) ? rewriteEntry(holder, entry, content[name]!) : [];
    }),
    ...(removed.length === 0 ? [] : removeEntries(holder, map, removed)),
    ...(added.length === 0 ? [] : addPairs(holder, map, added)),
  ];
}

/** Keeps the common start and end of both lists. Between them, items are rewritten, then removed or inserted. */
function rewriteList(
  holder: ParentRef,
  list: YAMLSeq,
  content: readonly Content[],
): TextChange[] | undefined {
  const entries = getEntries(list);
  const isSame = (entry: Entry | undefined, item: Content | undefined): boolean => {
    if (entry === undefined || item === undefined || hasRaw(item)) return false;
    return isEqual(plainValue(holder.document, entry.value), item);
  };
  const shorter = Math.min(entries.length, content.length);
  let head = 0;
  while (head < shorter && isSame(entries[head], content[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(entries.at(-1 - tail), content.at(-1 - tail))) tail += 1;
  if (shorter === 0) return undefined;
  const old = entries.slice(head, entries.length - tail);
  const next = content.slice(head, content.length - tail);
  const both = Math.min(old.length, next.length);
  // Items inserted next to a rewritten item would conflict with its changes.
  if (next.length > old.length && old.length > 0) return undefined;
  return [
    ...old.slice(0, both).flatMap((entry, index) => rewriteEntry(holder, entry, next[index]!)),
    ...(old.length > both ? removeEntries(holder, list, old.slice(both)) : []),
    ...(next.length > both ? addItems(holder, list, head + both, next.slice(both)) : []),
  ];
}

function rewriteEntry({ editable, document }: ParentRef, entry: Entry, content: Content): TextChange[] {
  return rewriteValue({ editable, document, entry }, content);
}

function isMerge({ key }: Entry): boolean {
  return isMergeKey(key);
}

function hasRaw(content: Content): boolean {
  if (content instanceof RawYaml) return true;
  if (content === null || typeof content !== 'object') return false;
  return Object.values(content).some(hasRaw);
}

/** Whether two values are deeply equal, including the order of keys. */
function isEqual(a: Content, b: Content): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]!));
  if (!isContentMap(a) || !isContentMap(b)) return false;
  const [keysA, keysB] = [Object.keys(a), Object.keys(b)];
  return (
    keysA.length === keysB.length &&
    keysA.every((key, index) => key === keysB[index] && isEqual(a[key]!, b[key]!))
  );
}

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
  const items = isSeq(node) ? getEntries(node) : [];
  const offset = items[index]?.from ?? document.range[1];
  const inFlow = isSeq(node) && isFlow(node) && items.length > 0;
  const prepared = prepareContent(editable, { document: list.document, offset, inFlow }, value);
  if ('reason' in prepared) return reject(prepared.reason);
  if (!Number.isInteger(index) || index < 0) return reject(explainMissingItem(list, index));
  if (way.end !== 'found') return editInherited(editable, way, list, withItem(index, prepared.content));
  if (index > items.length) return reject(explainMissingItem(list, index));
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
  const items = isSeq(node) ? getEntries(node) : [];
  for (const index of [from, to])
    if (items[index] === undefined) return reject(explainMissingItem(list, index));
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
  if (list.path.includes('<<')) return reject(explainMergeKey());
  const way = walk(editable, list);
  if ('reason' in way) return reject(way.reason);
  const { node, end } = way;
  if (end === 'found' && isAlias(node)) return { ...way, end: 'alias', rest: [] };
  if (end !== 'found' || isSeq(node) || isNullOrEmpty(node)) return way;
  return reject(`${formatPath(list.path)} is not a list.`);
}

function explainMissingItem({ path }: NodePath, index: number): string {
  return `${formatPath(path)} has no item ${index}.`;
}
