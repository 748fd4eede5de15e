import type {
  Heartbeat,
  HeartbeatReply,
  WorkerRegistration,
  WorkerLease,
  WorkerRef,
} from '../../store/types/dispatch.ts';
import {
  writeLabels,
  lostReasons,
  toCredential,
  type CredentialRow,
  endedStates,
  coordinatorLeaseMs,
  goneRetentionMs,
} from './rows.ts';
import {
  type Send,
  type Statement,
  type PostgresContext,
  held,
  now,
  requeue,
  notify,
} from './postgres-connection.ts';

const registerSql: Statement = {
  name: 'dispatch_register',
  text: /* sql */ `
    INSERT INTO worker (id, epoch, life, labels, slots, version, host, pid, registered_at, beat_at, lease_until,
      credential_sha256, credential_token, credential_labels)
    VALUES ($1, (SELECT last_epoch + 1 FROM dispatch_fact), 'active', $2, $3, $4, $5, $6, ${now}, ${now}, ${now} + $7::bigint,
      $8, $9, $10)
    ON CONFLICT (id) DO UPDATE SET epoch = worker.epoch + 1, life = 'active',
      labels = excluded.labels, slots = excluded.slots, version = excluded.version, host = excluded.host,
      pid = excluded.pid, registered_at = excluded.registered_at, beat_at = excluded.beat_at,
      lease_until = excluded.lease_until, load = NULL, free_bytes = NULL,
      credential_sha256 = coalesce(excluded.credential_sha256, worker.credential_sha256),
      credential_token = coalesce(excluded.credential_token, worker.credential_token),
      credential_labels = coalesce(excluded.credential_labels, worker.credential_labels)
    RETURNING epoch`,
};
const keepSql: Statement = {
  name: 'dispatch_keep',
  text: /* sql */ `
    UPDATE task SET worker_epoch = $1
    FROM unnest($2::text[], $3::bigint[]) AS given (key, fence)
    WHERE task.key = given.key AND task.fence = given.fence AND task.worker_id = $4 AND task.state = 'running'
    RETURNING task.key`,
};

/**
 * Implements `DispatchStore.register`. The new epoch locks the worker's row: writes with the old epoch are either
 * earlier or rejected.
 */
export function register(
  { connection, settings }: PostgresContext,
  registration: WorkerRegistration,
): Promise<WorkerLease> {
  const { id, credential, keeps } = registration;
  return connection.transact(async (send) => {
    const [row] = await send<{ epoch: number }>(
      registerSql,
      id,
      writeLabels(registration.labels),
      registration.slots,
      registration.version,
      registration.host,
      registration.pid,
      settings.leaseMs,
      credential?.sha256,
      credential?.token,
      credential && writeLabels(credential.labels),
    );
    const { epoch } = row!;
    const lost = new Set(keeps.map(({ key }) => key));
    if (keeps.length > 0) {
      const fences = keeps.map(({ fence }) => fence);
      const retained = await send<{ key: string }>(keepSql, epoch, [...lost], fences, id);
      for (const { key } of retained) lost.delete(key);
    }
    await revokeTasks(send, id, lostReasons.restarted(id), epoch);
    return { id, epoch, leaseMs: settings.leaseMs, lost: [...lost] };
  });
}

const takeSql: Statement = {
  name: 'dispatch_take',
  text: /* sql */ `
    WITH locked AS (
      SELECT key, state FROM task WHERE worker_id = $1 AND ${held} AND worker_epoch <> $3 ORDER BY key FOR UPDATE
    ), lost AS (
      UPDATE task SET state = 'lost', fence = fence + 1, ended_at = ${now}, reason = $2
      FROM locked WHERE task.key = locked.key AND locked.state = 'running' RETURNING 1
    ), returned AS (
      UPDATE task SET ${requeue} FROM locked WHERE task.key = locked.key AND locked.state = 'claimed' RETURNING 1
    )
    SELECT 'lost' AS end, ${notify('changed')} FROM lost
    UNION ALL SELECT 'returned', ${notify('offered')} FROM returned`,
};

/**
 * Takes a worker's tasks: confirmed ones are lost, the others become `ready`. Runs after the statement that locks the
 * worker's row, so that it sees all writes of the old epoch.
 * @param exceptEpoch epoch whose tasks stay with it; -1 for none
 * @returns the numbers of lost and returned tasks
 */
export async function revokeTasks(
  send: Send,
  id: string,
  reason: string,
  exceptEpoch = -1,
): Promise<{ lost: number; returned: number }> {
  const rows = await send<{ end: 'lost' | 'returned' }>(takeSql, id, reason, exceptEpoch);
  const lost = rows.filter(({ end }) => end === 'lost').length;
  return { lost, returned: rows.length - lost };
}

/** Renews the leases and returns only relevant changes to their tasks. */
const heartbeatSql: Statement = {
  name: 'dispatch_beat',
  text: /* sql */ `
    WITH given AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::float8[], $4::bigint[]) AS given (id, epoch, load, free_bytes)
    ), renewed AS (
      UPDATE worker SET beat_at = ${now}, lease_until = ${now} + $5::bigint, load = given.load, free_bytes = given.free_bytes
      FROM given WHERE worker.id = given.id AND worker.epoch = given.epoch AND worker.life = 'active'
      RETURNING worker.id, worker.epoch, worker.is_draining
    ), holds AS (
      SELECT * FROM unnest($6::int[], $7::text[], $8::bigint[]) AS holds (n, key, fence)
    )
    SELECT id, epoch, is_draining, NULL::int AS n, NULL AS key, NULL AS cancel FROM renewed
    UNION ALL
    SELECT NULL, NULL, NULL, holds.n, holds.key, task.cancel
    FROM holds LEFT JOIN task ON task.key = holds.key AND task.fence = holds.fence AND task.state = 'running'
      AND task.worker_id = ($1::text[])[holds.n] AND task.worker_epoch = ($2::bigint[])[holds.n]
    WHERE task.key IS NULL OR task.cancel IS NOT NULL`,
};

interface HeartbeatRow {
  readonly id: string | null;
  readonly epoch: number | null;
  readonly is_draining: 0 | 1 | null;
  /** Number of the heartbeat, from 1. */
  readonly n: number | null;
  readonly key: string | null;
  readonly cancel: 'stop' | 'kill' | null;
}

/** Implements `DispatchStore.beat`. */
export async function beat(
  { connection, settings }: PostgresContext,
  heartbeats: readonly Heartbeat[],
): Promise<HeartbeatReply[]> {
  if (heartbeats.length === 0) return [];
  const leases = heartbeats.flatMap(({ running }, index) =>
    running.map((lease) => ({ n: index + 1, ...lease })),
  );
  const rows = await connection.query<HeartbeatRow>(
    heartbeatSql,
    heartbeats.map(({ id }) => id),
    heartbeats.map(({ epoch }) => epoch),
    heartbeats.map(({ load }) => load ?? null),
    heartbeats.map(({ freeBytes }) => freeBytes ?? null),
    settings.leaseMs,
    leases.map(({ n }) => n),
    leases.map(({ key }) => key),
    leases.map(({ fence }) => fence),
  );
  const renewed = new Map(rows.map(({ id, epoch, is_draining }) => [`${epoch} ${id}`, is_draining]));
  const rowsByHeartbeat = Map.groupBy(rows, ({ n }) => n);
  return heartbeats.map(({ id, epoch }, index) => {
    const draining = renewed.get(`${epoch} ${id}`);
    const affected = rowsByHeartbeat.get(index + 1) ?? [];
    return {
      isUnknown: draining === undefined,
      lost: affected.filter((row) => row.cancel === null).map((row) => row.key!),
      cancel: affected
        .filter((row) => row.cancel !== null)
        .map((row) => ({ key: row.key!, how: row.cancel! })),
      isDraining: draining === 1,
    };
  });
}

const credentialSql: Statement = {
  name: 'dispatch_credential',
  text: /* sql */ `
    SELECT credential_sha256, credential_token, credential_labels, lease_until, ${now} AS now FROM worker
    WHERE id = $1 AND credential_sha256 IS NOT NULL`,
};

/** Implements `DispatchStore.findCredential`. */
export async function findCredential(
  { connection }: PostgresContext,
  id: string,
): Promise<ReturnType<typeof toCredential> | undefined> {
  const [row] = await connection.query<CredentialRow & { now: number }>(credentialSql, id);
  return row && toCredential(row, row.now);
}

const leaveSql: Statement = {
  name: 'dispatch_leave',
  text: /* sql */ `
    UPDATE worker SET life = 'left', lease_until = 0 WHERE id = $1 AND epoch = $2 AND life <> 'removed' RETURNING id`,
};

/** Implements `DispatchStore.leave`. */
export async function leave({ connection }: PostgresContext, { id, epoch }: WorkerRef): Promise<void> {
  await connection.transact(async (send) => {
    const rows = await send(leaveSql, id, epoch);
    if (rows.length > 0) await revokeTasks(send, id, lostReasons.left(id));
  });
}

const removeSql: Statement = {
  name: 'dispatch_remove',
  text: /* sql */ `
    UPDATE worker SET life = 'removed', lease_until = 0, is_draining = 0, credential_sha256 = NULL,
      credential_token = NULL, credential_labels = NULL
    WHERE id = $1 AND life <> 'removed' RETURNING id`,
};

/** Implements `DispatchStore.removeWorker`. The row is retained for a while, so that no epoch is reused. */
export const removeWorker = ({ connection }: PostgresContext, id: string): Promise<boolean> =>
  connection.transact(async (send) => {
    const rows = await send(removeSql, id);
    if (rows.length > 0) await revokeTasks(send, id, lostReasons.removed(id));
    return rows.length > 0;
  });

const drainSql: Statement = {
  name: 'dispatch_drain',
  text: `UPDATE worker SET is_draining = $2 WHERE id = $1 AND life IN ('active', 'gone') RETURNING id`,
};

/** Implements `DispatchStore.setDraining`. */
export const setDraining = async (
  { connection }: PostgresContext,
  id: string,
  isOn: boolean,
): Promise<boolean> => (await connection.query(drainSql, id, Number(isOn))).length > 0;

/** Corrects times in the future, after the clock was set back or the server was replaced. $1: lease. */
const clampSql: Statement = {
  name: 'dispatch_heal',
  text: /* sql */ `
    WITH workers AS (
      UPDATE worker SET lease_until = ${now} + $1::bigint WHERE lease_until > ${now} + $1::bigint
    ), coordinators AS (
      UPDATE coordinator SET beat_at = ${now} WHERE beat_at > ${now}
    ), tasks AS (
      UPDATE task SET claimed_at = ${now} WHERE ${held} AND state = 'claimed' AND claimed_at > ${now}
    )
    UPDATE dispatch_fact SET reaping_from = ${now} + $1::bigint WHERE reaping_from > ${now} + $1::bigint`,
};

/**
 * Postpones reclaiming by one lease if the server was restarted or no coordinator is alive, because workers could not
 * send heartbeats then. $1: lease, $2: coordinator lease.
 */
const postponeSql: Statement = {
  name: 'dispatch_put_off',
  text: /* sql */ `
    UPDATE dispatch_fact SET reaping_from = ${now} + $1::bigint, database_start = pg_postmaster_start_time()
    WHERE database_start IS DISTINCT FROM pg_postmaster_start_time()
      OR NOT EXISTS (SELECT 1 FROM coordinator WHERE beat_at > ${now} - $2::bigint)`,
};

/**
 * Workers whose lease has expired. Their rows are locked, so that a concurrent heartbeat is either earlier or rejected.
 */
const expiredSql: Statement = {
  name: 'dispatch_expired',
  text: /* sql */ `
    WITH expired AS (
      SELECT worker.id FROM worker, dispatch_fact
      WHERE worker.life = 'active' AND worker.lease_until <= ${now} AND ${now} >= dispatch_fact.reaping_from
      ORDER BY worker.id FOR UPDATE OF worker SKIP LOCKED
    )
    UPDATE worker SET life = 'gone' FROM expired WHERE worker.id = expired.id RETURNING worker.id`,
};

/**
 * Tasks that belong to no current registration of a worker. There should be none, but nothing else would handle them.
 */
const staleTasksSql: Statement = {
  name: 'dispatch_strayed',
  text: /* sql */ `
    SELECT DISTINCT task.worker_id AS id, coalesce(worker.epoch, -1) AS epoch
    FROM dispatch_fact, task LEFT JOIN worker ON worker.id = task.worker_id AND worker.life = 'active'
    WHERE ${held} AND task.worker_epoch IS DISTINCT FROM worker.epoch AND ${now} >= dispatch_fact.reaping_from`,
};

const unconfirmedSql: Statement = {
  name: 'dispatch_unconfirmed',
  text: /* sql */ `
    WITH locked AS (
      SELECT key FROM task WHERE ${held} AND state = 'claimed' AND claimed_at <= ${now} - $1::bigint
      ORDER BY key FOR UPDATE SKIP LOCKED
    ), returned AS (
      UPDATE task SET ${requeue} FROM locked WHERE task.key = locked.key RETURNING 1
    )
    SELECT ${notify('offered')} FROM returned`,
};

/** Postpones reclaiming if workers could not send heartbeats. */
export async function postponeReaping(
  send: Send,
  { settings }: Pick<PostgresContext, 'settings'>,
): Promise<void> {
  await send(postponeSql, settings.leaseMs, coordinatorLeaseMs(settings));
}

/** Implements `DispatchStore.reap`. */
export function reap(context: PostgresContext): Promise<{ lost: number; returned: number }> {
  const { connection, settings } = context;
  return connection.transact(async (send) => {
    await send(clampSql, settings.leaseMs);
    await postponeReaping(send, context);
    const total = { lost: 0, returned: 0 };
    const revoke = async (id: string, reason: string, exceptEpoch?: number): Promise<void> => {
      const { lost, returned } = await revokeTasks(send, id, reason, exceptEpoch);
      total.lost += lost;
      total.returned += returned;
    };
    for (const { id } of await send<{ id: string }>(expiredSql))
      await revoke(id, lostReasons.silent(id, settings.leaseMs));
    for (const { id, epoch } of await send<{ id: string; epoch: number }>(staleTasksSql))
      await revoke(id, lostReasons.restarted(id), epoch);
    const unconfirmed = await send(unconfirmedSql, settings.activationMs);
    return { lost: total.lost, returned: total.returned + unconfirmed.length };
  });
}

const isOld = `life <> 'active' AND beat_at < ${now} - $1::bigint`;

const rememberSql: Statement = {
  name: 'dispatch_remember',
  text: /* sql */ `
    WITH old AS (DELETE FROM worker WHERE ${isOld} RETURNING epoch)
    UPDATE dispatch_fact SET last_epoch = greatest(last_epoch, (SELECT max(epoch) FROM old))
    WHERE EXISTS (SELECT 1 FROM old)`,
};
const oldCoordinatorsSql: Statement = {
  name: 'dispatch_old_coordinators',
  text: `DELETE FROM coordinator WHERE beat_at < ${now} - $1::bigint`,
};
const oldTasksSql: Statement = {
  name: 'dispatch_old_tasks',
  text: /* sql */ `
    DELETE FROM task WHERE state IN ${endedStates} AND ended_at < ${now} - $1::bigint
      AND NOT EXISTS (SELECT 1 FROM run WHERE run.key = task.run_key)`,
};

/** Deletes workers that left long ago, dead coordinators, and ended tasks of deleted runs. */
export async function prune({ connection }: PostgresContext): Promise<void> {
  for (const statement of [rememberSql, oldCoordinatorsSql, oldTasksSql])
    await connection.query(statement, goneRetentionMs);
}
