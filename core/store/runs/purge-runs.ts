import { activeRunStatuses, type RunStatus, type RunRecord, type RunRef, isFinal } from '../../model/run.ts';
import { AppError, exactRunNotFoundError } from '../../base/errors.ts';
import type { PurgeableRun, PurgedRun, PurgeLimits } from '../types/runs.ts';
import { type Database, type SqlValue, type Statement, placeholdersFor } from '../database/database.ts';
import { findRun } from '../run-rows.ts';

/** Most runs removed in one transaction, sub-runs included; one run with many sub-runs may exceed it. */
const maxRuns = 100;

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

/** Selects the runs to remove, oldest first. A run with an active sub-run stays for later. */
const purgeable = (columns: string, extraCondition: string): string => /* sql */ `
  SELECT ${columns} FROM run
  WHERE is_sub = 0 AND dag = ? AND finished_at < ? AND status NOT IN (${activeList}) ${extraCondition}
    AND NOT EXISTS (SELECT 1 FROM run sub WHERE sub.root_key = run.key AND sub.status IN (${activeList}))
  ORDER BY finished_at, key`;
export const purgeableSql = `${purgeable('key', '')} LIMIT ${maxRuns}`;
const treeColumns = 'SELECT key, dag, run_id, log_dir, spec_key, base_key FROM run';
export const treeSql = `${treeColumns} WHERE key = ? UNION ALL ${treeColumns} WHERE root_key = ?`;
/** Texts that attempts ran before their run was resumed with another one. */
export const attemptTextsSql =
  'SELECT DISTINCT spec_key AS key FROM attempt WHERE run_key = ? AND spec_key IS NOT NULL';
export const deleteRunSql = 'DELETE FROM run WHERE key = ?';
export const deleteUnusedSpecSql = /* sql */ `
  DELETE FROM spec WHERE key = ?
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.spec_key = spec.key)
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.base_key = spec.key)
    AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.spec_key = spec.key)`;

/** A run of a tree that is removed. */
interface TreeRow {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly log_dir: string;
  readonly spec_key: number;
  readonly base_key: number | null;
}

interface PurgeableRow extends TreeRow {
  readonly status: RunStatus;
  readonly finished_at: number;
}

/** Implements `RunStore.purgeRuns`. Takes the write lock only when there is something to remove. */
export async function purgeRuns(database: Database, name: string, limits: PurgeLimits): Promise<PurgedRun[]> {
  const due = await database.perform(() => {
    const { sql, values } = selectKeys(database, name, limits);
    return database.all(sql, ...values);
  });
  if (due.length === 0) return [];
  const remove = (): PurgedRun[] => {
    const rows: TreeRow[] = [];
    const texts: number[] = [];
    for (const { key } of listKeys(database, name, limits)) {
      const tree = database.all<TreeRow>(treeSql, key, key);
      if (rows.length > 0 && rows.length + tree.length > maxRuns) break;
      rows.push(...tree);
      texts.push(...listTexts(database, tree));
      database.run(deleteRunSql, key);
    }
    removeUnusedTexts(database, texts);
    return rows.map((row) => ({ name: row.dag, dagRunId: row.run_id, logDir: row.log_dir }));
  };
  return await database.perform(() => database.write(remove));
}

export function listPurgeable(database: Database, name: string, limits: PurgeLimits): PurgeableRun[] {
  return database.read(() => {
    const { sql, values } = narrow(database, name, limits);
    const columns = 'dag, run_id, log_dir, status, finished_at';
    return database.all<PurgeableRow>(purgeable(columns, sql), name, ...values).map((row) => ({
      name: row.dag,
      dagRunId: row.run_id,
      logDir: row.log_dir,
      status: row.status,
      finishedAt: row.finished_at,
    }));
  });
}

function listKeys(database: Database, name: string, limits: PurgeLimits): { key: number }[] {
  const { sql, values } = selectKeys(database, name, limits);
  return database.all<{ key: number }>(sql, ...values);
}

function selectKeys(database: Database, name: string, limits: PurgeLimits): Statement {
  const { sql, values } = narrow(database, name, limits);
  const text = sql === '' ? purgeableSql : `${purgeable('key', sql)} LIMIT ${maxRuns}`;
  return { sql: text, values: [name, ...values] };
}

/** Returns the conditions in addition to the name and the time, and the values of all but the name. */
function narrow(
  database: Database,
  name: string,
  { before = Number.MAX_SAFE_INTEGER, keep = 0, statuses }: PurgeLimits,
): { sql: string; values: SqlValue[] } {
  const placeholders = statuses && placeholdersFor(statuses);
  const statusFilter = placeholders === undefined ? '' : `AND status IN (${placeholders})`;
  if (keep === 0) return { sql: statusFilter, values: [before, ...(statuses ?? [])] };
  const oldestRemaining = database.get<{ key: number }>(
    `SELECT key FROM run WHERE is_sub = 0 AND dag = ? ${statusFilter} ORDER BY key DESC LIMIT 1 OFFSET ?`,
    name,
    ...(statuses ?? []),
    keep - 1,
  );
  return {
    sql: `${statusFilter} AND key < ?`,
    // Nothing is removed when there are fewer runs than should stay.
    values: [before, ...(statuses ?? []), oldestRemaining?.key ?? Number.MIN_SAFE_INTEGER],
  };
}

/** Lists the sources of runs that are about to be removed. */
const listTexts = (database: Database, rows: readonly TreeRow[]): number[] =>
  rows.flatMap(({ key, spec_key, base_key }) => [
    spec_key,
    ...(base_key === null ? [] : [base_key]),
    ...database.all<{ key: number }>(attemptTextsSql, key).map((row) => row.key),
  ]);

/** Removes the sources that no other run has. */
function removeUnusedTexts(database: Database, keys: readonly number[]): void {
  for (const key of new Set(keys)) database.run(deleteUnusedSpecSql, key);
}

export const treeStatusesSql = 'SELECT status FROM run WHERE root_key = ?';

export function deleteRun(database: Database, ref: RunRef): PurgedRun[] {
  return database.write(() => {
    const run = findRun(database, ref);
    if (run === undefined) throw exactRunNotFoundError(ref);
    assertEnded(database, run);
    const tree = database.all<TreeRow>(treeSql, run.key, run.key);
    const texts = listTexts(database, tree);
    database.run(deleteRunSql, run.key);
    removeUnusedTexts(database, texts);
    return tree.map((row) => ({ name: row.dag, dagRunId: row.run_id, logDir: row.log_dir }));
  });
}

function assertEnded(database: Database, { key, name, dagRunId, status, root }: RunRecord): void {
  if (root !== undefined) {
    throw new AppError(
      'bad_request',
      `Run ${dagRunId} of ${name} is a sub-run of ${root.dagRunId} of ${root.name}. Delete that run instead.`,
    );
  }
  const descendants = database.all<{ status: RunStatus }>(treeStatusesSql, key);
  if (isFinal(status) && descendants.every((row) => isFinal(row.status))) return;
  throw new AppError(
    'still_running',
    `Run ${dagRunId} of ${name} or one of its sub-runs is still active. Stop it before deleting it.`,
  );
}
