import { isMap } from 'yaml';
import type { EditResult, EditRejection } from '../text-change.ts';
import type { NodePath } from '../outline.ts';
import { type ParentRef, removeEntries } from './add-entry.ts';
import type { EditableText } from './editable-text.ts';
import { getEntryEnd, type Collection, type Entry } from './entries.ts';
import { findSharedContainer, findSharedValue } from './guard-anchors.ts';
import { withoutKey } from './read-value.ts';
import { explainMergeKey, editInherited } from './set-value.ts';
import { accept, reject } from './text-edits.ts';
import { formatPath, findMerge, walk, type Walk } from './walk.ts';

/** Entries to remove from one collection. */
interface Removal {
  readonly holder: ParentRef;
  readonly collection: Collection;
  readonly entries: Entry[];
}

/**
 * Removes the key or item at an address with its lines and its comments: those directly above it in the same column
 * without a blank line in between, and those after it with more indentation. Comments above the first key of a
 * document belong to the document and stay. If there are blank lines before and after, those after are removed.
 * Removing the last key of a map leaves `{}` and the last item of a list `[]`, because an empty value would be `null`;
 * to remove the whole collection, remove its parent. If the address does not exist, nothing changes. Rejected: a key
 * that `<<` supplies, or would supply after the removal; a value with an anchor that is used elsewhere; duplicate
 * keys; invalid YAML.
 */
export function removeValue(editable: EditableText, address: NodePath): EditResult {
  return removeValues(editable, [address]);
}

/** Removes several keys and items of one text in one edit. None may be inside another. */
export function removeValues(editable: EditableText, addresses: readonly NodePath[]): EditResult {
  const removals = new Map<Collection, Removal>();
  const aliased: EditResult[] = [];
  const ways: { way: Walk; address: NodePath }[] = [];
  for (const address of addresses) {
    const way = findRemoved(editable, address);
    if ('ok' in way) return way;
    if (way.end === 'missing' || way.end === 'no-container') continue;
    if (way.end !== 'found') aliased.push(removeAway(editable, way, address));
    else ways.push({ way, address });
  }
  for (const { way } of ways) collect(editable, way, removals);
  const removed = [...removals.values()].flatMap(({ entries }) => entries);
  for (const { way, address } of ways) {
    const { document, entries } = way;
    const ranges = removed.map((entry) => ({ from: entry.from, to: getEntryEnd(editable.text, entry) }));
    const reason =
      findSharedContainer(editable, document, entries, address.path) ??
      findSharedValue(editable, document, ranges);
    if (reason !== undefined) return reject(reason);
  }
  const error = aliased.find((result): result is EditRejection => !result.ok);
  if (error !== undefined) return error;
  const changes = [...removals.values()].flatMap(({ holder, collection, entries }) =>
    removeEntries(
      holder,
      collection,
      entries.toSorted((a, b) => a.index - b.index),
    ),
  );
  return accept([...changes, ...aliased.flatMap((result) => (result.ok ? result.changes : []))]);
}

function findRemoved(editable: EditableText, { document, path }: NodePath): Walk | EditRejection {
  if (path.length === 0) return reject('Documents cannot be removed here. Edit the source instead.');
  if (path.includes('<<')) return reject(explainMergeKey());
  const way = walk(editable, { document, path });
  if ('reason' in way) return reject(way.reason);
  if (way.end === 'inherited' && way.rest.length === 1) return reject(explainInherited(editable, way));
  const entry = way.entries.at(-1);
  const name = String(path.at(-1));
  const merge =
    way.end === 'found' && isMap(entry!.collection) && findMerge(way.document, entry!.collection, name);
  if (!merge) return way;
  const { line } = editable.lines.locate(merge.range![0]);
  return reject(
    `Removing "${name}" would expose the value from "<<" in line ${line}. Set another value, or change the "<<" in the source.`,
  );
}

function explainInherited({ lines }: EditableText, { merge, rest, entries }: Walk): string {
  const { line } = lines.locate(merge!.range![0]);
  const owner = formatPath([...entries.map(({ key, index }) => (key ? String(key.value) : index)), ...rest]);
  return `${owner} comes from "<<" in line ${line} and cannot be removed here. Set another value, or change the "<<" in the source.`;
}

function removeAway(editable: EditableText, way: Walk, address: NodePath): EditResult {
  const part = address.path.at(-1)!;
  const rest = way.rest.slice(0, -1);
  const shorter = { ...address, path: address.path.slice(0, -1) };
  return editInherited(editable, { ...way, rest }, shorter, withoutKey(part));
}

function collect(
  editable: EditableText,
  { document, entries }: Walk,
  removals: Map<Collection, Removal>,
): void {
  const entry = entries.at(-1)!;
  const { collection } = entry;
  const known = removals.get(collection);
  const removal = known ?? { holder: { editable, document, entry: entries.at(-2) }, collection, entries: [] };
  if (!removal.entries.includes(entry)) removal.entries.push(entry);
  removals.set(collection, removal);
}
