import type { Database } from '../database/database.ts';

/** One seek for each name. */
export const runNamesSql = /* sql */ `
  WITH RECURSIVE names (dag) AS (
    SELECT min(dag) FROM run
    UNION ALL
    SELECT (SELECT min(dag) FROM run WHERE dag > names.dag) FROM names WHERE names.dag IS NOT NULL
  )
  SELECT dag FROM names WHERE dag IS NOT NULL`;
export const lastKeySql = 'SELECT max(key) AS key FROM run';
export const namesAfterSql = 'SELECT dag FROM run WHERE key > ?';

/** With more new runs than this, seeking each name again costs less. */
const maxNew = 1000;

interface NameCache {
  readonly names: ReadonlySet<string>;
  /** The newest run whose name is included; keys only increase. */
  readonly last: number;
}

const known = new WeakMap<Database, NameCache>();

/** Returns the names of all runs, including some that no run has any more. */
export function listRunNames(database: Database): ReadonlySet<string> {
  const before = known.get(database);
  const last = database.get<{ key: number | null }>(lastKeySql)?.key ?? 0;
  if (before !== undefined && last <= before.last) return before.names;
  const isNear = before !== undefined && last - before.last <= maxNew;
  const rows = isNear
    ? database.all<{ dag: string }>(namesAfterSql, before.last)
    : database.all<{ dag: string }>(runNamesSql);
  const names = new Set(isNear ? before.names : []);
  for (const { dag } of rows) names.add(dag);
  known.set(database, { names, last });
  return names;
}
