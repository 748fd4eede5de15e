import { toIso } from '../base/clock.ts';
import type { MissedExpectation, MissedKind, MissedRule } from '../model/expectation.ts';
import { activeRunStatuses } from '../model/run.ts';
import type { Database, SqlValue } from './database/database.ts';
import { notifyEvent } from './notifications/notify-event.ts';
import type { Operations } from './open-store.ts';
import type {
  ExpectationState,
  ExpectationStore,
  KnownExpectation,
  RunTimes,
  StoredMiss,
} from './types/expectations.ts';
import { saveDispatch } from './webhooks/events.ts';

/** Creates the store of expectations on an open connection. */
export const createExpectationStore = (database: Database): Operations<ExpectationStore> => ({
  remember: (known, at) => remember(database, known, at),
  advance: (dag, until) => advance(database, dag, until),
  restart: (at) => restart(database, at),
  miss: (missed, at) => database.write(() => recordMiss(database, missed, at)),
  resolve: (id, at) => resolve(database, id, at),
  listOpen: () => listMisses(database, 'resolved_at IS NULL ORDER BY deadline, id'),
  listMissed: (dag, limit) =>
    listMisses(database, 'dag = ? ORDER BY deadline DESC, id DESC LIMIT ?', dag, limit),
  listMissedOf: ({ name, dagRunId }) =>
    listMisses(database, "run_id <> '' AND name = ? AND run_id = ? ORDER BY id", name, dagRunId),
  listMissedRunsSince: (at) => listMisses(database, "run_id <> '' AND decided_at >= ? ORDER BY id", at),
  listMissedBetween: (from, before) =>
    listMisses(
      database,
      'decided_at >= ? AND deadline >= ? AND deadline < ? ORDER BY deadline, id',
      from,
      from,
      before,
    ),
  purge: (before) =>
    database.write(() => void database.run('DELETE FROM missed_expectation WHERE decided_at < ?', before)),
  listActive: () => listRunTimes(database, `run.status IN (${activeList})`),
  listEndedSince: (name, since) =>
    listRunTimes(
      database,
      'run.finished_at IS NOT NULL AND run.dag = ? AND run.finished_at >= ?',
      name,
      since,
    ),
  findTimes: ({ name, dagRunId }) =>
    listRunTimes(database, 'run.dag = ? AND run.run_id = ?', name, dagRunId)[0],
  hasSucceeded: (name, after, until) => database.get(succeededBetweenSql, name, after, until) !== undefined,
  lastSuccess: (dag, name) => findLastSuccess(database, dag, name),
});

interface StateRow {
  readonly mark: string;
  readonly since: number;
  readonly decided_until: number;
  readonly resumed_at: number | null;
}

/** The schedule of a workflow counts from its last resume, and so do its expectations. */
const stateSql = /* sql */ `
  SELECT expectation.mark, expectation.since, expectation.decided_until, schedule_dag.since AS resumed_at
  FROM expectation LEFT JOIN schedule_dag ON schedule_dag.dag = expectation.dag WHERE expectation.dag = ?`;

function remember(
  database: Database,
  known: readonly KnownExpectation[],
  at: number,
): ReadonlyMap<string, ExpectationState> {
  const states = new Map<string, ExpectationState>();
  const changed = database.read(() =>
    known.filter(({ dag, mark }) => {
      const row = database.get<StateRow>(stateSql, dag);
      const isSame = row?.mark === mark;
      states.set(dag, {
        since: isSame ? Math.max(row.since, row.resumed_at ?? row.since) : at,
        decidedUntil: isSame ? row.decided_until : at,
      });
      return !isSame;
    }),
  );
  if (changed.length === 0) return states;
  database.write(() => {
    for (const { dag, mark } of changed)
      database.run(
        /* sql */ `
        INSERT INTO expectation (dag, mark, since, decided_until) VALUES (?, ?, ?, ?)
        ON CONFLICT (dag) DO UPDATE SET mark = excluded.mark, since = excluded.since,
          decided_until = excluded.decided_until`,
        dag,
        mark,
        at,
        at,
      );
  });
  return states;
}

const advance = (database: Database, dag: string, until: number): void =>
  database.write(
    () =>
      void database.run(
        'UPDATE expectation SET decided_until = ? WHERE dag = ? AND decided_until < ?',
        until,
        dag,
        until,
      ),
  );

const restart = (database: Database, at: number): void =>
  database.write(() => void database.run('UPDATE expectation SET since = ?, decided_until = ?', at, at));

/**
 * Records a miss with its notification and webhook event, unless it is known. The usual duration can change while a run
 * is long, so an attempt at a run has one miss of a kind, whatever its deadline. Only inside a write transaction.
 */
export function recordMiss(database: Database, missed: MissedExpectation, at: number): boolean {
  const { dag, kind, rule, deadline, name, dagRunId = '', message } = missed;
  if (dagRunId !== '' && database.get(knownOfRunSql, name, dagRunId, kind) !== undefined) return false;
  // A workflow that cannot start is reported once, and not at each of its times.
  if (rule === 'start' && database.get(openStartSql, dag) !== undefined) return false;
  const { changes } = database.run(
    /* sql */ `
    INSERT INTO missed_expectation (dag, kind, deadline, rule, name, run_id, message, decided_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    dag,
    kind,
    deadline,
    rule,
    name,
    dagRunId,
    message,
    at,
  );
  if (changes === 0) return false;
  const type = `run.${kind}` as const;
  const runId = dagRunId === '' ? undefined : dagRunId;
  notifyEvent(database, { type, workflow: name, runId, at, detail: message });
  saveDispatch(
    database,
    type,
    { workflow: name, run_id: runId ?? null, rule, deadline: toIso(deadline), message },
    at,
  );
  return true;
}

const openStartSql =
  "SELECT id FROM missed_expectation WHERE dag = ? AND rule = 'start' AND resolved_at IS NULL";

/** A retry is a new attempt. */
const knownOfRunSql = /* sql */ `
  SELECT missed.id FROM missed_expectation missed
    LEFT JOIN run ON run.dag = missed.name AND run.run_id = missed.run_id
  WHERE missed.name = ? AND missed.run_id = ? AND missed.kind = ? AND missed.decided_at >= coalesce(
    (SELECT max(event.at) FROM event WHERE event.run_key = run.key AND event.type = 'run.retried'), 0)`;

const resolve = (database: Database, id: number, at: number): void =>
  database.write(
    () =>
      void database.run(
        'UPDATE missed_expectation SET resolved_at = ? WHERE id = ? AND resolved_at IS NULL',
        at,
        id,
      ),
  );

interface MissRow {
  readonly id: number;
  readonly dag: string;
  readonly kind: MissedKind;
  readonly deadline: number;
  readonly rule: MissedRule;
  readonly name: string;
  readonly run_id: string;
  readonly message: string;
  readonly decided_at: number;
  readonly resolved_at: number | null;
}

const listMisses = (database: Database, condition: string, ...values: SqlValue[]): StoredMiss[] =>
  database
    .all<MissRow>(`SELECT * FROM missed_expectation WHERE ${condition}`, ...values)
    .map(({ run_id: dagRunId, decided_at: decidedAt, resolved_at: resolvedAt, ...row }) => ({
      ...row,
      ...(dagRunId !== '' && { dagRunId }),
      decidedAt,
      ...(resolvedAt !== null && { resolvedAt }),
    }));

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

interface TimesRow {
  readonly dag: string;
  readonly run_id: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly scheduled_at: number | null;
  readonly retried_at: number | null;
}

const listRunTimes = (database: Database, condition: string, ...values: SqlValue[]): RunTimes[] =>
  database
    .all<TimesRow>(
      /* sql */ `
      SELECT run.dag, run.run_id, run.created_at, run.started_at, run.finished_at, slot.at AS scheduled_at,
        (SELECT max(event.at) FROM event WHERE event.run_key = run.key AND event.type = 'run.retried') AS retried_at
      FROM run LEFT JOIN schedule_slot slot ON slot.run_key = run.key
      WHERE run.is_sub = 0 AND ${condition}`,
      ...values,
    )
    .map((row) => ({
      name: row.dag,
      dagRunId: row.run_id,
      isScheduled: row.scheduled_at !== null && row.retried_at === null,
      dueAt: row.retried_at ?? row.scheduled_at ?? row.created_at,
      ...(row.started_at !== null && { startedAt: Math.max(row.started_at, row.retried_at ?? 0) }),
      ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    }));

/** Runs that count as successful: of all steps, even when steps failed that may. */
const successSql = /* sql */ `
  is_sub = 0 AND finished_at IS NOT NULL AND status IN ('succeeded', 'partially_succeeded') AND only_steps IS NULL`;

export const succeededBetweenSql = /* sql */ `
  SELECT key FROM run WHERE dag = ? AND finished_at > ? AND finished_at <= ? AND ${successSql} LIMIT 1`;
export const lastSuccessSql = /* sql */ `
  SELECT finished_at AS at FROM run WHERE dag = ? AND ${successSql} ORDER BY finished_at DESC LIMIT 1`;

function findLastSuccess(database: Database, dag: string, name: string): number | undefined {
  const known = database.get<{ at: number | null }>(
    'SELECT succeeded_at AS at FROM expectation WHERE dag = ?',
    dag,
  );
  const newest = database.get<{ at: number }>(lastSuccessSql, name)?.at;
  if (newest === undefined || newest <= (known?.at ?? 0)) return known?.at ?? newest;
  if (known !== undefined)
    database.write(
      () => void database.run('UPDATE expectation SET succeeded_at = ? WHERE dag = ?', newest, dag),
    );
  return newest;
}
