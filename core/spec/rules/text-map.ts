import type { TextMap } from '../../model/workflow/values.ts';
import { findField, textOf, type SourceRef } from '../source/source-node.ts';

/** Reads a map of strings, numbers as written; undefined if it is absent. */
export function readTextMap(parent: SourceRef, key: string): TextMap | undefined {
  const node = findField(parent, key)?.node;
  if (node?.kind !== 'map') return undefined;
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, textOf(entry.node)]));
}
