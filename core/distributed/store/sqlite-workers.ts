import type {
  CoordinatorRecord,
  DispatchStats,
  DispatchStore,
  JoinToken,
  TaskRecord,
  WorkerRecord,
} from '../../store/types/dispatch.ts';
import {
  hasLabels,
  writeLabels,
  taskColumns,
  toCoordinator,
  toStats,
  toTask,
  toToken,
  toWorkers,
  workerColumns,
  type CoordinatorRow,
  type StatsRow,
  type RunningRow,
  coordinatorLeaseMs,
} from './rows.ts';
import {
  readLabelled,
  readTaskRow,
  type SqliteContext,
  type StoredTask,
  type StoredToken,
  type StoredWorker,
} from './sqlite-changes.ts';
import { isAnyAlive, postpone } from './sqlite-worker-lifecycle.ts';

/** Implements `DispatchStore.listWorkers`. */
export function listWorkers({ database, clock }: SqliteContext): WorkerRecord[] {
  return database.read(() => {
    const workers = database.all<StoredWorker>(
      `SELECT ${workerColumns} FROM worker WHERE life IN ('active', 'gone') ORDER BY id`,
    );
    const running = database.all<RunningRow>(
      `SELECT worker_id, key, dag, run_id, step, begun_at FROM task
       WHERE state IN ('claimed', 'running') AND state = 'running' ORDER BY id`,
    );
    return toWorkers(workers.map(readLabelled), running, clock.now());
  });
}

/** Implements `DispatchStore.listTasks`. */
export function listTasks(
  { database }: SqliteContext,
  { states, runKey, limit }: Parameters<DispatchStore['listTasks']>[0],
): TaskRecord[] {
  const conditions = [
    ...(states === undefined ? [] : ['state IN (SELECT value FROM json_each(?))']),
    ...(runKey === undefined ? [] : ['run_key = ?']),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return database
    .all<StoredTask>(
      `SELECT ${taskColumns} FROM task ${where} ORDER BY id DESC LIMIT ?`,
      ...(states === undefined ? [] : [JSON.stringify(states)]),
      ...(runKey === undefined ? [] : [runKey]),
      limit,
    )
    .map((row) => toTask(readTaskRow(row)));
}

/** Implements `DispatchStore.match`. */
export function match(
  { database, clock }: SqliteContext,
  selector: Parameters<DispatchStore['match']>[0],
): { workers: number; matching: number } {
  const activeWorkers = database.all<{ labels: string; is_draining: number }>(
    `SELECT labels, is_draining FROM worker WHERE life = 'active' AND lease_until > ?`,
    clock.now(),
  );
  const conditions = writeLabels(selector);
  const matching = activeWorkers.filter(
    ({ labels, is_draining }) => is_draining === 0 && hasLabels(JSON.parse(labels) as string[], conditions),
  );
  return { workers: activeWorkers.length, matching: matching.length };
}

const statsSql = /* sql */ `
  SELECT (SELECT count(*) FROM task WHERE state = 'ready') AS ready,
    (SELECT count(*) FROM task WHERE state IN ('claimed', 'running') AND state = 'claimed') AS claimed,
    (SELECT count(*) FROM task WHERE state IN ('claimed', 'running') AND state = 'running') AS running,
    stale_refused, reaping_from FROM dispatch_fact`;

/** Implements `DispatchStore.stats`. */
export const readStats = ({ database, clock }: SqliteContext): DispatchStats =>
  toStats(database.get<StatsRow>(statsSql)!, clock.now());

const beatSql = /* sql */ `
  INSERT INTO coordinator (id, url, version, host, pid, started_at, beat_at, workers) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, version = excluded.version, host = excluded.host,
    pid = excluded.pid, beat_at = excluded.beat_at, workers = excluded.workers`;

/** Implements `DispatchStore.heartbeatCoordinator`. */
export function heartbeatCoordinator(
  context: SqliteContext,
  { id, url, version, host, pid, workers }: Parameters<DispatchStore['heartbeatCoordinator']>[0],
): void {
  context.notifier.write((at) => {
    if (!isAnyAlive(context, at)) postpone(context, at);
    context.database.run(beatSql, id, url, version, host, pid, at, at, workers);
  });
}

/** Implements `DispatchStore.leaveCoordinator`. */
export function leaveCoordinator({ database }: SqliteContext, id: string): void {
  database.write(() => database.run('DELETE FROM coordinator WHERE id = ?', id));
}

/** Implements `DispatchStore.listCoordinators`. */
export function listCoordinators({ database, clock, settings }: SqliteContext): CoordinatorRecord[] {
  const aliveFrom = clock.now() - coordinatorLeaseMs(settings);
  return database
    .all<CoordinatorRow>('SELECT * FROM coordinator ORDER BY id')
    .map((row) => toCoordinator(row, aliveFrom));
}

/** Implements `DispatchStore.addJoinToken`. */
export function addJoinToken({ database, clock }: SqliteContext, token: Omit<JoinToken, 'createdAt'>): void {
  database.write(() =>
    database.run(
      'INSERT INTO join_token (id, sha256, note, created_at, expires_at, labels) VALUES (?, ?, ?, ?, ?, ?)',
      token.id,
      token.sha256,
      token.note,
      clock.now(),
      token.expiresAt ?? null,
      JSON.stringify(writeLabels(token.labels)),
    ),
  );
}

/** Implements `DispatchStore.listJoinTokens`. */
export const listJoinTokens = ({ database }: SqliteContext): JoinToken[] =>
  database
    .all<StoredToken>('SELECT * FROM join_token ORDER BY created_at, id')
    .map((row) => toToken(readLabelled(row)));

/** Implements `DispatchStore.removeJoinToken`. */
export const removeJoinToken = ({ database }: SqliteContext, id: string): boolean =>
  database.write(() => database.run('DELETE FROM join_token WHERE id = ?', id)).changes > 0;

/** Implements `DispatchStore.findJoinToken`. */
export function findJoinToken({ database, clock }: SqliteContext, sha256: string): JoinToken | undefined {
  const row = database.get<StoredToken>(
    'SELECT * FROM join_token WHERE sha256 = ? AND (expires_at IS NULL OR expires_at > ?)',
    sha256,
    clock.now(),
  );
  return row && toToken(readLabelled(row));
}
