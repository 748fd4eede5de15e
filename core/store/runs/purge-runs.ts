import { activeRunStatuses } from '../../model/status.ts';
import type { PurgedRun } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

/** Runs removed in one transaction, sub-runs included; it may be exceeded by those of one run. */
const mostRuns = 100;

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

/** The oldest first. A run with a sub-run that somebody still drives is left for later. */
export const purgeableSql = /* sql */ `
  SELECT key FROM run
  WHERE is_sub = 0 AND dag = ? AND finished_at < ? AND status NOT IN (${activeList})
    AND NOT EXISTS (SELECT 1 FROM run sub WHERE sub.root_key = run.key AND sub.status IN (${activeList}))
  ORDER BY finished_at LIMIT ${mostRuns}`;
const treeColumns = 'SELECT dag, run_id, log_dir, spec_key, base_key FROM run';
export const treeSql = `${treeColumns} WHERE key = ? UNION ALL ${treeColumns} WHERE root_key = ?`;
export const deleteRunSql = 'DELETE FROM run WHERE key = ?';
export const deleteUnusedSpecSql = /* sql */ `
  DELETE FROM spec WHERE key = ?
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.spec_key = spec.key)
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.base_key = spec.key)`;

interface TreeRow {
  readonly dag: string;
  readonly run_id: string;
  readonly log_dir: string;
  readonly spec_key: number;
  readonly base_key: number | null;
}

/** `RunStore.purgeRuns`. Takes the write lock only when there is something to remove. */
export function purgeRuns(database: Database, name: string, before: number): PurgedRun[] {
  if (listPurgeable(database, name, before).length === 0) return [];
  return database.write(() => {
    const rows: TreeRow[] = [];
    for (const { key } of listPurgeable(database, name, before)) {
      const tree = database.all<TreeRow>(treeSql, key, key);
      if (rows.length > 0 && rows.length + tree.length > mostRuns) break;
      rows.push(...tree);
      database.run(deleteRunSql, key);
    }
    removeUnusedTexts(database, rows);
    return rows.map((row) => ({ name: row.dag, dagRunId: row.run_id, logDir: row.log_dir }));
  });
}

const listPurgeable = (database: Database, name: string, before: number): { key: number }[] =>
  database.all<{ key: number }>(purgeableSql, name, before);

function removeUnusedTexts(database: Database, rows: readonly TreeRow[]): void {
  const keys = new Set(rows.flatMap((row) => [row.spec_key, row.base_key]));
  for (const key of keys) if (key !== null) database.run(deleteUnusedSpecSql, key);
}
