import type { RunStatus } from '../../model/run.ts';
import type {
  RecentStatus,
  RunFailures,
  RunOutcomes,
  TimeRange,
  UsualDuration,
} from '../types/statistics.ts';
import type { Database } from '../database/database.ts';

interface OutcomeRow {
  readonly succeeded: number;
  readonly partial: number;
  readonly failed: number;
  readonly aborted: number;
  readonly timed: number;
  readonly spent: number;
}

const countedRuns = /* sql */ `
  count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
  count(*) FILTER (WHERE status = 'partially_succeeded') AS partial,
  count(*) FILTER (WHERE status = 'failed') AS failed,
  count(*) FILTER (WHERE status = 'aborted') AS aborted,
  count(started_at) AS timed, CAST(coalesce(sum(finished_at - started_at), 0) AS BIGINT) AS spent
  FROM run WHERE is_sub = 0 AND finished_at IS NOT NULL AND created_at >= ? AND created_at < ?`;
export const outcomesSql = `SELECT ${countedRuns}`;
const sum = (column: string): string => `CAST(coalesce(sum(${column}), 0) AS BIGINT)`;
export const countedOutcomesSql = /* sql */ `
  SELECT ${sum('succeeded')} AS succeeded, ${sum('partially_succeeded')} AS partial, ${sum('failed')} AS failed,
    ${sum('aborted')} AS aborted, ${sum('timed')} AS timed, ${sum('spent')} AS spent
  FROM run_outcome_count WHERE quarter >= ? AND quarter < ?`;
const countedFromSql = 'SELECT counted_from FROM run_outcome_progress';

/** Unit of the counts, in milliseconds; see the migration `run-outcome-counts`. */
const quarterMs = 900_000;

/** Returns the creation time from which on runs are counted. */
const readCountedFrom = (database: Database): number =>
  database.get<{ counted_from: number }>(countedFromSql)!.counted_from;

/** Counts the finished runs that were created in a time range, without sub-runs. */
export function countOutcomes(database: Database, range: TimeRange): RunOutcomes {
  return database.read(() => {
    const [first, last] = [Math.ceil(range.from / quarterMs), Math.floor(range.until / quarterMs)];
    const isCounted = first < last && readCountedFrom(database) <= first * quarterMs;
    const count = (from: number, until: number): OutcomeRow[] =>
      from < until ? [database.get<OutcomeRow>(outcomesSql, from, until)!] : [];
    const rows = isCounted
      ? [
          ...count(range.from, first * quarterMs),
          database.get<OutcomeRow>(countedOutcomesSql, first, last)!,
          ...count(last * quarterMs, range.until),
        ]
      : count(range.from, range.until);
    const total = (read: (row: OutcomeRow) => number): number =>
      rows.reduce((all, row) => all + read(row), 0);
    const timed = total((row) => row.timed);
    return {
      succeeded: total((row) => row.succeeded),
      partiallySucceeded: total((row) => row.partial),
      failed: total((row) => row.failed),
      aborted: total((row) => row.aborted),
      ...(timed > 0 && { averageMs: Math.round(total((row) => row.spent) / timed) }),
    };
  });
}

/** Runs counted in one transaction; about 10 ms. */
const runsAtOnce = 5000;

export const nextUncountedSql = /* sql */ `
  SELECT created_at FROM run WHERE is_sub = 0 AND finished_at IS NOT NULL AND created_at < ?
  ORDER BY created_at DESC LIMIT 1 OFFSET ${runsAtOnce}`;
const addCountsSql = /* sql */ `
  INSERT INTO run_outcome_count (quarter, succeeded, partially_succeeded, failed, aborted, timed, spent)
  SELECT created_at / ${quarterMs} AS quarter, ${countedRuns} GROUP BY created_at / ${quarterMs}`;

/** Counts a batch of the runs from before the migration, newest first. Returns whether there are more. */
export function countEarlierRuns(database: Database): boolean {
  if (readCountedFrom(database) === Number.MIN_SAFE_INTEGER) return false;
  return database.write(() => {
    const until = readCountedFrom(database);
    if (until === Number.MIN_SAFE_INTEGER) return false;
    const next = database.get<{ created_at: number }>(nextUncountedSql, until)?.created_at;
    const from = next === undefined ? Number.MIN_SAFE_INTEGER : Math.floor(next / quarterMs) * quarterMs;
    database.run(addCountsSql, from, until);
    database.run('UPDATE run_outcome_progress SET counted_from = ?', from);
    return next !== undefined;
  });
}

export const topLevelWithStatusSql = 'SELECT count(*) AS runs FROM run WHERE is_sub = 0 AND status = ?';

/** Counts the runs with a status, without sub-runs. */
export const countWithStatus = (database: Database, status: RunStatus): number =>
  database.get<{ runs: number }>(topLevelWithStatusSql, status)!.runs;

/** Number of the newest failed runs that are examined. */
export const maxExaminedFailures = 10_000;
/** Part of an error message that identifies its cause. */
const causeLength = 300;

export const newestFailuresSql = /* sql */ `
  SELECT key, dag, substr(error, 1, ${causeLength}) AS error, created_at FROM run
  WHERE is_sub = 0 AND status = 'failed' ORDER BY key DESC LIMIT ${maxExaminedFailures}`;
const failuresSql = /* sql */ `
  SELECT dag, error, count(*) AS runs, min(created_at) AS first_at, max(created_at) AS last_at,
    max(key) AS last_key
  FROM (${newestFailuresSql}) AS newest WHERE created_at >= ? GROUP BY dag, error ORDER BY max(key) DESC`;
export const runIdSql = 'SELECT run_id AS id FROM run WHERE key = ?';

interface FailureRow {
  readonly dag: string;
  readonly error: string | null;
  readonly runs: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly last_key: number;
}

/** Returns the failed runs since a time by workflow and error, newest first, without sub-runs. */
export function listFailures(database: Database, since: number): RunFailures {
  return database.read(() => {
    const rows = database.all<FailureRow>(failuresSql, since);
    const examined = rows.reduce((total, { runs }) => total + runs, 0);
    return {
      failures: rows.map(({ dag, error, runs, first_at: firstAt, last_at: lastAt, last_key: lastKey }) => ({
        name: dag,
        error: error ?? undefined,
        runs,
        firstAt,
        lastAt,
        lastKey,
      })),
      isComplete: examined < maxExaminedFailures,
    };
  });
}

export const findRunId = (database: Database, key: number): string | undefined =>
  database.get<{ id: string }>(runIdSql, key)?.id;

export const recentStatusesSql = /* sql */ `
  SELECT run_id, status FROM run WHERE is_sub = 0 AND dag = ? ORDER BY key DESC LIMIT 10`;

/** Returns the statuses of the 10 newest runs of a workflow, newest first. */
export const recentStatuses = (database: Database, name: string): RecentStatus[] =>
  database
    .all<{ run_id: string; status: RunStatus }>(recentStatusesSql, name)
    .map(({ run_id: dagRunId, status }) => ({ dagRunId, status }));

/** Number of runs that tell how long a workflow usually takes. */
const usualRuns = 20;

export const durationsSql = /* sql */ `
  SELECT started_at, finished_at FROM run
  WHERE is_sub = 0 AND dag = ? AND status = 'succeeded' ORDER BY key DESC LIMIT ${usualRuns}`;

/** Returns the median duration of the newest successful runs of a workflow, and their number. */
export function usualDuration(database: Database, name: string): UsualDuration {
  const spans = database
    .all<{ started_at: number | null; finished_at: number }>(durationsSql, name)
    .flatMap(({ started_at: from, finished_at: until }) => (from === null ? [] : [until - from]))
    .toSorted((a, b) => a - b);
  const medianMs = spans[Math.floor((spans.length - 1) / 2)];
  return { runs: spans.length, ...(medianMs !== undefined && { medianMs }) };
}
