import type {
  CoordinatorRecord,
  DispatchStats,
  DispatchStore,
  JoinToken,
  TaskRecord,
  WorkerRecord,
} from '../../store/types/dispatch.ts';
import {
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
  type TaskRow,
  type TokenRow,
  type WorkerRow,
  coordinatorLeaseMs,
} from './rows.ts';
import { type Statement, type PostgresContext, held, now } from './postgres-connection.ts';
import { postponeReaping } from './postgres-worker-lifecycle.ts';

const workersSql: Statement = {
  name: 'dispatch_workers',
  text: `SELECT ${workerColumns}, ${now} AS now FROM worker WHERE life IN ('active', 'gone') ORDER BY id`,
};
const runningSql: Statement = {
  name: 'dispatch_running',
  text: /* sql */ `
    SELECT worker_id, key, dag, run_id, step, begun_at FROM task WHERE ${held} AND state = 'running' ORDER BY id`,
};

/** Implements `DispatchStore.listWorkers`. */
export async function listWorkers({ connection }: PostgresContext): Promise<WorkerRecord[]> {
  const workers = await connection.query<WorkerRow & { now: number }>(workersSql);
  const running = await connection.query<RunningRow>(runningSql);
  return toWorkers(workers, running, workers[0]?.now ?? 0);
}

const tasksSql: Statement = {
  name: 'dispatch_tasks',
  text: /* sql */ `
    SELECT ${taskColumns} FROM task
    WHERE ($1::text[] IS NULL OR state = ANY ($1)) AND ($2::bigint IS NULL OR run_key = $2)
    ORDER BY id DESC LIMIT $3`,
};

/** Implements `DispatchStore.listTasks`. */
export async function listTasks(
  { connection }: PostgresContext,
  { states, runKey, limit }: Parameters<DispatchStore['listTasks']>[0],
): Promise<TaskRecord[]> {
  return (await connection.query<TaskRow>(tasksSql, states, runKey, limit)).map(toTask);
}

const matchSql: Statement = {
  name: 'dispatch_match',
  text: /* sql */ `
    SELECT count(*) AS workers, count(*) FILTER (WHERE is_draining = 0 AND $1::text[] <@ labels) AS matching
    FROM worker WHERE life = 'active' AND lease_until > ${now}`,
};

/** Implements `DispatchStore.match`. */
export async function match(
  { connection }: PostgresContext,
  selector: Parameters<DispatchStore['match']>[0],
): Promise<{ workers: number; matching: number }> {
  const [row] = await connection.query<{ workers: number; matching: number }>(
    matchSql,
    writeLabels(selector),
  );
  return row!;
}

const statsSql: Statement = {
  name: 'dispatch_facts',
  text: /* sql */ `
    SELECT (SELECT count(*) FROM task WHERE state = 'ready') AS ready, open.claimed, open.running,
      stale_refused, reaping_from, ${now} AS now
    FROM dispatch_fact, (
      SELECT count(*) FILTER (WHERE state = 'claimed') AS claimed, count(*) FILTER (WHERE state = 'running') AS running
      FROM task WHERE ${held}) AS open`,
};

/** Implements `DispatchStore.stats`. */
export async function readStats({ connection }: PostgresContext): Promise<DispatchStats> {
  const [row] = await connection.query<StatsRow & { now: number }>(statsSql);
  return toStats(row!, row!.now);
}

const beatSql: Statement = {
  name: 'dispatch_beat_coordinator',
  text: /* sql */ `
    INSERT INTO coordinator (id, url, version, host, pid, started_at, beat_at, workers)
    VALUES ($1, $2, $3, $4, $5, ${now}, ${now}, $6)
    ON CONFLICT (id) DO UPDATE SET url = excluded.url, version = excluded.version, host = excluded.host,
      pid = excluded.pid, beat_at = excluded.beat_at, workers = excluded.workers`,
};

/** Implements `DispatchStore.heartbeatCoordinator`. */
export function heartbeatCoordinator(
  context: PostgresContext,
  { id, url, version, host, pid, workers }: Parameters<DispatchStore['heartbeatCoordinator']>[0],
): Promise<void> {
  return context.connection.transact(async (send) => {
    await postponeReaping(send, context);
    await send(beatSql, id, url, version, host, pid, workers);
  });
}

const leaveSql: Statement = {
  name: 'dispatch_leave_coordinator',
  text: `DELETE FROM coordinator WHERE id = $1`,
};

/** Implements `DispatchStore.leaveCoordinator`. */
export async function leaveCoordinator({ connection }: PostgresContext, id: string): Promise<void> {
  await connection.query(leaveSql, id);
}

const coordinatorsSql: Statement = {
  name: 'dispatch_coordinators',
  text: `SELECT *, ${now} AS now FROM coordinator ORDER BY id`,
};

/** Implements `DispatchStore.listCoordinators`. */
export async function listCoordinators({
  connection,
  settings,
}: PostgresContext): Promise<CoordinatorRecord[]> {
  const rows = await connection.query<CoordinatorRow & { now: number }>(coordinatorsSql);
  return rows.map((row) => toCoordinator(row, row.now - coordinatorLeaseMs(settings)));
}

const addTokenSql: Statement = {
  name: 'dispatch_add_token',
  text: /* sql */ `
    INSERT INTO join_token (id, sha256, note, created_at, expires_at, labels) VALUES ($1, $2, $3, ${now}, $4, $5)`,
};

/** Implements `DispatchStore.addJoinToken`. */
export async function addJoinToken(
  { connection }: PostgresContext,
  { id, sha256, note, expiresAt, labels }: Omit<JoinToken, 'createdAt'>,
): Promise<void> {
  await connection.query(addTokenSql, id, sha256, note, expiresAt, writeLabels(labels));
}

const tokensSql: Statement = {
  name: 'dispatch_tokens',
  text: 'SELECT * FROM join_token ORDER BY created_at, id',
};

/** Implements `DispatchStore.listJoinTokens`. */
export const listJoinTokens = async ({ connection }: PostgresContext): Promise<JoinToken[]> =>
  (await connection.query<TokenRow>(tokensSql)).map(toToken);

const removeTokenSql: Statement = {
  name: 'dispatch_remove_token',
  text: 'DELETE FROM join_token WHERE id = $1 RETURNING id',
};

/** Implements `DispatchStore.removeJoinToken`. */
export const removeJoinToken = async ({ connection }: PostgresContext, id: string): Promise<boolean> =>
  (await connection.query(removeTokenSql, id)).length > 0;

const findTokenSql: Statement = {
  name: 'dispatch_find_token',
  text: `SELECT * FROM join_token WHERE sha256 = $1 AND (expires_at IS NULL OR expires_at > ${now})`,
};

/** Implements `DispatchStore.findJoinToken`. */
export async function findJoinToken(
  { connection }: PostgresContext,
  sha256: string,
): Promise<JoinToken | undefined> {
  const [row] = await connection.query<TokenRow>(findTokenSql, sha256);
  return row && toToken(row);
}
