import { isAlias, isMap } from 'yaml';
import { authoredKeys } from '../../../spec/authored-keys.ts';
import { foldKey } from '../../../spec/spelling/fold-key.ts';
import { keyAliases } from '../../../spec/spelling/key-aliases.ts';
import type { NodeAddress } from '../../outline.ts';
import { anchorsOf } from '../anchors/anchors.ts';
import type { EditableText } from '../editable-text.ts';
import { plainValue } from '../values/plain-value.ts';
import { walk } from '../walk.ts';

/** Kinds of map that have keys of their own. */
export type MapKind = keyof typeof authoredKeys;

/**
 * How the author spelled a key of a map: as it is, by another word (`workingDir` for `dir`), in snake_case or with other
 * capitals. The canonical spelling wins when several are there. Keys that `<<` supplies count.
 * @param map address of the map
 * @returns undefined when the map has no such key, or there is no such map
 */
export function findKey(
  editable: EditableText,
  map: NodeAddress,
  canonicalName: string,
  kind: MapKind,
): string | undefined {
  const way = walk(editable, map);
  if ('reason' in way || way.end !== 'found') return undefined;
  const { document } = way;
  const node = isAlias(way.node) ? anchorsOf(document).targetOf(way.node)?.node : way.node;
  if (!isMap(node)) return undefined;
  const keys = Object.keys(plainValue(document, node) as object);
  return keys.find((key) => key === canonicalName) ?? keys.find((key) => meansKey(key, canonicalName, kind));
}

/** Whether a key is a spelling of the canonical one; a key that is canonical itself means nothing else. */
export function meansKey(written: string, canonicalName: string, kind: MapKind): boolean {
  if (written === canonicalName) return true;
  const keys: readonly string[] = authoredKeys[kind];
  if (keys.includes(written)) return false;
  const aliases: Readonly<Record<string, string>> =
    kind in keyAliases ? keyAliases[kind as keyof typeof keyAliases] : {};
  const folded = foldKey(written);
  const alias = Object.entries(aliases).find(([word]) => foldKey(word) === folded);
  return alias === undefined ? foldKey(canonicalName) === folded : alias[1] === canonicalName;
}
