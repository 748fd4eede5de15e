import { authoredKeys } from '../../../spec/authored-keys.ts';
import { normalizeKey } from '../../../spec/spelling/fold-key.ts';
import { keyAliases } from '../../../spec/spelling/key-aliases.ts';

/** Kinds of maps that have a fixed set of keys. */
export type MapKind = keyof typeof authoredKeys;

/** Whether a key is a spelling of a canonical key. A key that is canonical itself never matches another one. */
export function isSpellingOf(written: string, canonicalName: string, kind: MapKind): boolean {
  if (written === canonicalName) return true;
  const keys: readonly string[] = authoredKeys[kind];
  if (keys.includes(written)) return false;
  const aliases: Readonly<Record<string, string>> =
    kind in keyAliases ? keyAliases[kind as keyof typeof keyAliases] : {};
  const folded = normalizeKey(written);
  const alias = Object.entries(aliases).find(([word]) => normalizeKey(word) === folded);
  return alias === undefined ? normalizeKey(canonicalName) === folded : alias[1] === canonicalName;
}
