import type { RunFilter } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { buildPageQuery } from './run-lists.ts';

/** Keys read per name at a time. */
const batch = 5;

/** The newest runs of one name that have not been merged yet. */
interface Head {
  readonly name: string;
  readonly keys: number[];
  /** No keys follow `keys`. */
  isLast: boolean;
}

/**
 * Lists the keys of the runs of several names, newest first: one search for each name, then one for every few runs,
 * however long the history is.
 */
export function listMergedKeys(database: Database, names: readonly string[], filter: RunFilter): number[] {
  const read = (name: string, before: number | undefined): number[] => {
    const query = buildPageQuery({ ...filter, name, before, limit: batch });
    return query === undefined
      ? []
      : database.all<{ key: number }>(query.sql, ...query.values).map(({ key }) => key);
  };
  const heads = names.map((name): Head => {
    const keys = read(name, filter.before);
    return { name, keys, isLast: keys.length < batch };
  });
  const merged: number[] = [];
  while (merged.length < filter.limit) {
    const head = findNewest(heads);
    if (head === undefined) break;
    const key = head.keys.shift()!;
    merged.push(key);
    if (head.keys.length > 0 || head.isLast) continue;
    head.keys.push(...read(head.name, key));
    head.isLast = head.keys.length < batch;
  }
  return merged;
}

/** Returns the newest head; there are never more than a few dozen. */
function findNewest(heads: readonly Head[]): Head | undefined {
  let newest: Head | undefined;
  for (const head of heads) {
    const [key] = head.keys;
    if (key !== undefined && (newest === undefined || key > newest.keys[0]!)) newest = head;
  }
  return newest;
}
