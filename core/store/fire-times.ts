import { AppError } from '../base/errors.ts';
import { type RunRef, activeRunStatuses, type RunStatus } from '../model/run.ts';
import type { ScheduleKind, FireTimeOutcome, FireTimeRef } from '../model/fire-time.ts';
import type {
  FireTimeCount,
  FireTimeGroup,
  FireTimeRejection,
  FireTimeSpan,
  PendingRestart,
} from './types/schedules.ts';
import type { Database, SqlValue } from './database/database.ts';
import { recordMiss } from './expectations.ts';
import { stopRun } from './run-ownership.ts';

/** The recorded actor when a schedule stops a run. */
const stopActor = 'its schedule';

export const decidedSql = 'SELECT outcome FROM schedule_slot WHERE dag = ? AND kind = ? AND at = ?';
export const activeRunsSql = /* sql */ `
  SELECT key, dag AS name, run_id AS "dagRunId" FROM run
  WHERE is_sub = 0 AND dag = ? AND status IN (${activeRunStatuses.map((status) => `'${status}'`).join(', ')})
  ORDER BY key DESC`;
export const restartsSql = /* sql */ `
  SELECT slot.dag, slot.kind, slot.at, run.dag AS name, run.run_id AS "dagRunId"
  FROM schedule_slot slot JOIN run ON run.key = slot.previous_key WHERE slot.outcome = 'restarting'`;

export const isDecided = (database: Database, { dag, kind, at }: FireTimeRef): boolean =>
  database.get(decidedSql, dag, kind, at) !== undefined;

/** Adds the row of a slot; returns false when it exists. Only inside a write transaction, like the next function. */
function decide(
  database: Database,
  { dag, kind, at }: FireTimeRef,
  decision: { outcome: FireTimeOutcome; reason?: string; previousKey?: number; at: number },
): boolean {
  if (isDecided(database, { dag, kind, at })) return false;
  database.run(
    /* sql */ `
    INSERT INTO schedule_slot (dag, kind, at, outcome, reason, previous_key, decided_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    dag,
    kind,
    at,
    decision.outcome,
    decision.reason ?? null,
    decision.previousKey ?? null,
    decision.at,
  );
  return true;
}

/**
 * Links a new run to its slot.
 * @throws `stale_owner` when the slot has another run
 */
export function claimFireTime(
  database: Database,
  { dag, kind, at }: FireTimeRef,
  runKey: number,
  now: number,
): void {
  const { changes } = database.run(
    /* sql */ `
    INSERT INTO schedule_slot (dag, kind, at, outcome, run_key, decided_at) VALUES (?, ?, ?, 'started', ?, ?)
    ON CONFLICT (dag, kind, at) DO UPDATE SET outcome = 'started', run_key = excluded.run_key,
      decided_at = excluded.decided_at
    WHERE schedule_slot.outcome = 'restarting'`,
    dag,
    kind,
    at,
    runKey,
    now,
  );
  if (changes === 1) return;
  throw new AppError(
    'stale_owner',
    `The ${kind} of ${dag} at ${new Date(at).toISOString()} was already processed by another scheduler.`,
  );
}

export const rejectFireTime = (
  database: Database,
  fireTime: FireTimeRef,
  { name, ...error }: FireTimeRejection,
  at: number,
): boolean =>
  database.write(() => {
    if (!decide(database, fireTime, { ...error, at })) return false;
    const { dag, kind, at: deadline } = fireTime;
    if (error.outcome === 'failed' && kind === 'start')
      recordMiss(
        database,
        { dag, name, kind: 'missing', rule: 'start', deadline, message: error.reason },
        at,
      );
    return true;
  });

interface ActiveRow extends RunRef {
  readonly key: number;
}

const toRef = ({ name, dagRunId }: ActiveRow): RunRef => ({ name, dagRunId });

export function stopForFireTime(
  database: Database,
  fireTime: FireTimeRef,
  name: string,
  at: number,
): RunRef[] | undefined {
  return database.write(() => {
    const runs = database.all<ActiveRow>(activeRunsSql, name);
    if (!decide(database, fireTime, { ...toOutcome(runs, name, 'stopped'), at })) return undefined;
    for (const { key } of runs) stopRun(database, key, stopActor, at);
    return runs.map(toRef);
  });
}

export function beginRestart(
  database: Database,
  fireTime: FireTimeRef,
  name: string,
  at: number,
): RunRef[] | undefined {
  return database.write(() => {
    const runs = database.all<ActiveRow>(activeRunsSql, name).slice(0, 1);
    const previousKey = runs[0]?.key;
    if (!decide(database, fireTime, { ...toOutcome(runs, name, 'restarting'), previousKey, at }))
      return undefined;
    for (const { key } of runs) stopRun(database, key, stopActor, at);
    return runs.map(toRef);
  });
}

function toOutcome(
  runs: readonly ActiveRow[],
  name: string,
  outcome: FireTimeOutcome,
): { outcome: FireTimeOutcome; reason?: string } {
  if (runs.length > 0) return { outcome };
  return { outcome: 'skipped', reason: `No run of ${name} was active.` };
}

export function rejectRestart(
  database: Database,
  { dag, kind, at }: FireTimeRef,
  reason: string,
  now: number,
): void {
  database.write(() => {
    database.run(
      /* sql */ `
      UPDATE schedule_slot SET outcome = 'failed', reason = ?, decided_at = ?
      WHERE dag = ? AND kind = ? AND at = ? AND outcome = 'restarting'`,
      reason,
      now,
      dag,
      kind,
      at,
    );
  });
}

export const listRestarts = (database: Database): PendingRestart[] =>
  database
    .all<{ dag: string; kind: ScheduleKind; at: number; name: string; dagRunId: string }>(restartsSql)
    .map(({ dag, kind, at, name, dagRunId }) => ({ fireTime: { dag, kind, at }, run: { name, dagRunId } }));

export const purgeFireTimes = (database: Database, before: number): void =>
  database.write(() => void database.run('DELETE FROM schedule_slot WHERE at < ?', before));

/** Limits slots to workflows in a JSON list. */
const dagFilterSql = (dags: unknown): string =>
  dags === undefined ? '' : 'AND slot.dag IN (SELECT value FROM json_each(?))';

const toSqlValues = ({ from, before, dags }: FireTimeSpan): SqlValue[] =>
  dags === undefined ? [from, before] : [from, before, JSON.stringify(dags)];

/** Slots of one workflow are unique by kind and time, so the last one of a group is a single row. */
const groupsSql = (dags: unknown): string => /* sql */ `
  SELECT slots.*, slot.reason, run.dag AS run_dag, run.run_id, run.status FROM (
    SELECT slot.dag, slot.kind, slot.outcome, count(*) AS count, min(slot.at) AS first, max(slot.at) AS last
    FROM schedule_slot slot
    WHERE slot.at >= ? AND slot.at < ? ${dagFilterSql(dags)}
    GROUP BY slot.dag, slot.kind, slot.outcome
  ) slots
  JOIN schedule_slot slot ON slot.dag = slots.dag AND slot.kind = slots.kind AND slot.at = slots.last
  LEFT JOIN run ON run.key = slot.run_key
  ORDER BY slots.first, slots.dag, slots.kind LIMIT ?`;

interface GroupRow {
  readonly dag: string;
  readonly kind: ScheduleKind;
  readonly outcome: FireTimeOutcome;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly reason: string | null;
  readonly run_dag: string | null;
  readonly run_id: string | null;
  readonly status: RunStatus | null;
}

export const groupFireTimes = (
  database: Database,
  span: FireTimeSpan & { readonly limit: number },
): FireTimeGroup[] =>
  database.all<GroupRow>(groupsSql(span.dags), ...toSqlValues(span), span.limit).map(toGroup);

const toGroup = ({ reason, run_dag: name, run_id: dagRunId, status, ...group }: GroupRow): FireTimeGroup => ({
  ...group,
  ...(reason !== null && { reason }),
  ...(name !== null && dagRunId !== null && status !== null && { run: { name, dagRunId, status } }),
});

export const listFireTimes = (
  database: Database,
  { dag, kind }: Omit<FireTimeRef, 'at'>,
  { from, before }: FireTimeSpan,
): ReadonlySet<number> =>
  new Set(
    database
      .all<{ at: number }>(
        'SELECT at FROM schedule_slot WHERE dag = ? AND kind = ? AND at >= ? AND at < ?',
        dag,
        kind,
        from,
        before,
      )
      .map(({ at }) => at),
  );

const countsSql = (dags: unknown): string => /* sql */ `
  SELECT slot.at / ${countedMs} AS block, slot.outcome, run.status, count(*) AS count,
    sum(CASE WHEN slot.at >= dag.since THEN 1 ELSE 0 END) AS registered
  FROM schedule_slot slot
  LEFT JOIN run ON run.key = slot.run_key
  LEFT JOIN schedule_dag dag ON dag.dag = slot.dag AND dag.mark IS NOT NULL
  WHERE slot.at >= ? AND slot.at < ? ${dagFilterSql(dags)}
  GROUP BY slot.at / ${countedMs}, slot.outcome, run.status`;

/** Offsets of all time zones are multiples of a quarter of an hour. */
const countedMs = 900_000;

interface CountRow {
  readonly block: number;
  readonly outcome: FireTimeOutcome;
  readonly status: RunStatus | null;
  readonly count: number;
  readonly registered: number;
}

export const countFireTimes = (database: Database, span: FireTimeSpan): FireTimeCount[] =>
  database.all<CountRow>(countsSql(span.dags), ...toSqlValues(span)).map(({ block, status, ...counts }) => ({
    at: block * countedMs,
    ...counts,
    ...(status !== null && { status }),
  }));
