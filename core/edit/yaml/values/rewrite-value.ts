import { isAlias, isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { TextChange } from '../../text-change.ts';
import { addItems, addPairs, writeValue, type ParentRef } from '../entries/add-entry.ts';
import { isMergeKey } from '../anchors/anchors.ts';
import { entriesOf, isBarePair, type Entry } from '../entries/entries.ts';
import { isContentMap, isList } from '../plain-edits.ts';
import { plainValue } from './plain-value.ts';
import { RawYaml, type Content, type ContentMap } from './raw-yaml.ts';
import { removeEntries } from '../entries/remove-entries.ts';

/**
 * Returns the changes between the value of an entry and a new one: none for an equal value, and otherwise only where
 * they differ.
 */
export function rewriteValue(holder: ParentRef, content: Content): TextChange[] {
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
  const entries = entriesOf(map);
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
  const entries = entriesOf(list);
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
