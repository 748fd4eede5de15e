import type { TextMap } from '../../model/workflow/values.ts';
import { findPlace, textOf, type Place } from '../source/source-node.ts';

/** A map of texts, numbers as they are written; undefined when there is none. */
export function readTextMap(parent: Place, key: string): TextMap | undefined {
  const node = findPlace(parent, key)?.node;
  if (node?.kind !== 'map') return undefined;
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, textOf(entry.node)]));
}
