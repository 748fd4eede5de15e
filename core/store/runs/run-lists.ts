import {
  type RunRecord,
  type RunStatus,
  runStatuses,
  type activeRunStatuses,
  type RunRef,
} from '../../model/run.ts';
import type { RunFilter, DayCount, DayCountQuery, RunVersion } from '../types/runs.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { readRun, type RunRow, selectRun, toRunRecord } from '../run-rows.ts';

/** The largest page a caller may request. */
const maxPage = 1000;

export const latestKeySql = 'SELECT max(key) AS key FROM run WHERE is_sub = 0 AND dag = ?';
/** One seek per workflow name, then one for its newest run, without a scan over the history. */
const latestKeysSql = /* sql */ `
  WITH RECURSIVE names (dag) AS (
    SELECT min(dag) FROM run WHERE is_sub = 0
    UNION ALL
    SELECT (SELECT min(dag) FROM run WHERE is_sub = 0 AND dag > names.dag) FROM names WHERE names.dag IS NOT NULL
  )
  SELECT (SELECT max(key) FROM run WHERE is_sub = 0 AND run.dag = names.dag) AS key
  FROM names WHERE names.dag IS NOT NULL`;

export function listRuns(database: Database, filter: RunFilter): RunRecord[] {
  const query = buildPageQuery(filter);
  if (query === undefined) return [];
  return database.read(() => readRows(database, database.all<{ key: number }>(query.sql, ...query.values)));
}

export function latestRun(database: Database, name: string): RunRecord | undefined {
  const key = database.get<{ key: number | null }>(latestKeySql, name)?.key ?? undefined;
  return key === undefined ? undefined : readRun(database, key);
}

/** One statement for all names: starting one takes several times as long as finding a run. */
export const latestByNameSql = /* sql */ `${selectRun} WHERE key IN (
  SELECT (SELECT max(key) FROM run WHERE is_sub = 0 AND dag = places.value) FROM json_each(?) AS places)`;
export const latestRunsSql = `${selectRun} WHERE key IN (${latestKeysSql})`;
export const listRowsSql = `${selectRun} WHERE key IN (SELECT CAST(places.value AS BIGINT) FROM json_each(?) AS places)`;

export function latestRuns(database: Database, names?: readonly string[]): ReadonlyMap<string, RunRecord> {
  const rows =
    names === undefined
      ? database.all<RunRow>(latestRunsSql)
      : database.all<RunRow>(latestByNameSql, JSON.stringify(names));
  return new Map(rows.map((row) => [row.dag, toRunRecord(row)]));
}

/** Returns runs by their keys, in that order. */
export function readRows(database: Database, keys: readonly { key: number }[]): RunRecord[] {
  const rows = database.all<RunRow>(listRowsSql, JSON.stringify(keys.map(({ key }) => key)));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.map(({ key }) => toRunRecord(byKey.get(key)!));
}

/**
 * Builds the query for the keys of a page. Every combination of filters is a union of ranges, each already sorted in an
 * index; SQLite merges them and stops at the limit, so a page costs the same in any history. Returns undefined when no
 * run can match.
 */
export function buildPageQuery(filter: RunFilter): { sql: string; values: SqlValue[] } | undefined {
  const values: SqlValue[] = [];
  const ranges = listRanges(filter).map((range) => {
    const conditions = Object.entries(range).map(([column, value]) => {
      values.push(value);
      return `${column} = ?`;
    });
    values.push(filter.before ?? Number.MAX_SAFE_INTEGER);
    return `SELECT key FROM run WHERE ${[...conditions, 'key < ?'].join(' AND ')}`;
  });
  if (ranges.length === 0) return undefined;
  values.push(Math.min(Math.max(filter.limit, 1), maxPage));
  return { sql: `${ranges.join(' UNION ALL ')} ORDER BY key DESC LIMIT ?`, values };
}

type Range = Readonly<Record<string, string | number>>;

/**
 * Returns the equality conditions that, combined by OR, are equivalent to the filter; in the order of the index
 * columns.
 */
function listRanges({ name, statuses, topLevelOnly }: RunFilter): Range[] {
  const statusSet = statuses === undefined ? undefined : new Set(statuses);
  const byStatus: readonly (RunStatus | undefined)[] =
    statusSet === undefined || statusSet.size === runStatuses.length ? [undefined] : [...statusSet];
  if (!topLevelOnly && name === undefined && byStatus[0] === undefined && byStatus.length > 0) return [{}];
  const levels = topLevelOnly ? [0] : [0, 1];
  return levels.flatMap((level) =>
    byStatus.map((status) => ({
      is_sub: level,
      ...(name === undefined ? {} : { dag: name }),
      ...(status === undefined ? {} : { status }),
    })),
  );
}

export const countByStatusSql = 'SELECT count(*) AS runs FROM run WHERE is_sub IN (0, 1) AND status = ?';

export const countActiveRuns = (database: Database): Record<(typeof activeRunStatuses)[number], number> => {
  const count = (status: string): number => database.get<{ runs: number }>(countByStatusSql, status)!.runs;
  return database.read(() => ({
    not_started: count('not_started'),
    queued: count('queued'),
    running: count('running'),
  }));
};

/** Most rows examined one by one. */
const maxPolls = 100_000;

export const dayCountSql =
  'SELECT count(*) AS runs FROM run WHERE is_sub = 0 AND created_at >= ? AND created_at < ?';
export const failedSql = /* sql */ `
  SELECT created_at FROM run WHERE is_sub = 0 AND status = 'failed' ORDER BY key DESC LIMIT ${maxPolls}`;
export const runsByNameSql = /* sql */ `
  SELECT created_at, status FROM run WHERE is_sub = 0 AND dag = ? ORDER BY key DESC LIMIT ${maxPolls}`;

export function countByDay(
  database: Database,
  { days, name }: DayCountQuery,
): { readonly counts: readonly DayCount[]; readonly isComplete: boolean } {
  return database.read(() =>
    name === undefined ? countAll(database, days) : countRuns(database, days, name),
  );
}

/** Counts the runs of all names. An index covers the days of all runs; failed runs are few enough to be read. */
function countAll(database: Database, days: DayCountQuery['days']) {
  const failed = database.all<{ created_at: number }>(failedSql);
  const counts = days.map(({ from, until }) => ({
    total: database.get<{ runs: number }>(dayCountSql, from, until)!.runs,
    failed: 0,
  }));
  for (const { created_at: at } of failed) addTo(counts, days, at, (count) => (count.failed += 1));
  return { counts, isComplete: failed.length < maxPolls };
}

function countRuns(database: Database, days: DayCountQuery['days'], name: string) {
  const runs = database.all<{ created_at: number; status: string }>(runsByNameSql, name);
  const counts = days.map(() => ({ total: 0, failed: 0 }));
  for (const { created_at: at, status } of runs)
    addTo(counts, days, at, (count) => {
      count.total += 1;
      if (status === 'failed') count.failed += 1;
    });
  return { counts, isComplete: runs.length < maxPolls };
}

interface Count {
  total: number;
  failed: number;
}

function addTo(
  counts: readonly Count[],
  days: DayCountQuery['days'],
  at: number,
  add: (count: Count) => void,
): void {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.until <= at) low = middle + 1;
    else high = middle;
  }
  const day = days[low];
  if (day !== undefined && day.from <= at) add(counts[low]!);
}

export const runVersionSql = /* sql */ `
  SELECT key, status, (SELECT max(id) FROM event WHERE run_key = run.key) AS event
  FROM run WHERE dag = ? AND run_id = ?`;

export function findVersion(database: Database, { name, dagRunId }: RunRef): RunVersion | undefined {
  const row = database.get<{ key: number; status: RunStatus; event: number | null }>(
    runVersionSql,
    name,
    dagRunId,
  );
  return row && { key: row.key, status: row.status, eventId: row.event ?? 0 };
}
