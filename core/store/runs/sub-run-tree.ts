import type { RunRecord } from '../../model/run/run.ts';
import type { SubRunFilter } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { readRows } from './run-lists.ts';

/** The sub-runs of a run have it as their parent. */
export const childKeysSql = 'SELECT key FROM run WHERE parent_key = ? AND key > ? ORDER BY key LIMIT ?';

/** A walk over the tree: as many seeks as it has runs. */
const tree = /* sql */ `
  WITH RECURSIVE tree (key) AS (
    SELECT key FROM run WHERE parent_key = ?
    UNION ALL
    SELECT run.key FROM tree JOIN run ON run.parent_key = tree.key
  )`;
export const treeKeysSql = `${tree} SELECT key FROM tree WHERE key > ? ORDER BY key LIMIT ?`;
export const treeRunSql = `${tree} SELECT run.key FROM tree CROSS JOIN run ON run.key = tree.key WHERE run.run_id = ? LIMIT 1`;

export const listSubRuns = (
  database: Database,
  runKey: number,
  { isDeep, after = Number.MIN_SAFE_INTEGER, limit }: SubRunFilter,
): RunRecord[] =>
  database.read(() =>
    readRows(
      database,
      database.all<{ key: number }>(isDeep ? treeKeysSql : childKeysSql, runKey, after, limit),
    ),
  );

export const findSubRun = (database: Database, runKey: number, dagRunId: string): RunRecord | undefined =>
  database.read(() => readRows(database, database.all<{ key: number }>(treeRunSql, runKey, dagRunId))[0]);
