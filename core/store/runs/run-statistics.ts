import type { RunStatus } from '../../model/run.ts';
import type { RunFailures, RunOutcomes, TimeRange } from '../types/statistics.ts';
import type { Database } from '../database/database.ts';

export const outcomesSql = /* sql */ `
  SELECT count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
    count(*) FILTER (WHERE status = 'partially_succeeded') AS partial,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'aborted') AS aborted,
    count(started_at) AS timed, CAST(coalesce(sum(finished_at - started_at), 0) AS BIGINT) AS spent
  FROM run WHERE is_sub = 0 AND finished_at IS NOT NULL AND created_at >= ? AND created_at < ?`;

interface OutcomeRow {
  readonly succeeded: number;
  readonly partial: number;
  readonly failed: number;
  readonly aborted: number;
  readonly timed: number;
  readonly spent: number;
}

/** Counts the finished runs that were created in a time range, without sub-runs. */
export function countOutcomes(database: Database, { from, until }: TimeRange): RunOutcomes {
  const row = database.get<OutcomeRow>(outcomesSql, from, until)!;
  const { succeeded, partial, failed, aborted, timed, spent } = row;
  return {
    ...{ succeeded, partiallySucceeded: partial, failed, aborted },
    ...(timed > 0 && { averageMs: Math.round(spent / timed) }),
  };
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
    const examined = rows.reduce((sum, { runs }) => sum + runs, 0);
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

/** Number of runs that tell how long a workflow usually takes. */
const usualRuns = 20;

export const durationsSql = /* sql */ `
  SELECT started_at, finished_at FROM run
  WHERE is_sub = 0 AND dag = ? AND status = 'succeeded' ORDER BY key DESC LIMIT ${usualRuns}`;

/** Returns the median duration of the newest successful runs of a workflow, in milliseconds. */
export function medianDuration(database: Database, name: string): number | undefined {
  const spans = database
    .all<{ started_at: number | null; finished_at: number }>(durationsSql, name)
    .flatMap(({ started_at: from, finished_at: until }) => (from === null ? [] : [until - from]))
    .toSorted((a, b) => a - b);
  return spans[Math.floor((spans.length - 1) / 2)];
}
