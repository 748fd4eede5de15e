import { lostReasons } from '../reasons.ts';
import { endedStates } from '../rows.ts';
import { coordinatorLeaseMs, goneRetentionMs } from '../settings.ts';
import type { Send, Statement } from './connection.ts';
import type { PostgresDeps } from './parts.ts';
import { held, now, requeue, notify } from './sql.ts';
import { revokeTasks } from './worker-life.ts';

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
  { settings }: Pick<PostgresDeps, 'settings'>,
): Promise<void> {
  await send(postponeSql, settings.leaseMs, coordinatorLeaseMs(settings));
}

/** Implements `DispatchStore.reap`. */
export function reap(deps: PostgresDeps): Promise<{ lost: number; returned: number }> {
  const { connection, settings } = deps;
  return connection.transact(async (send) => {
    await send(clampSql, settings.leaseMs);
    await postponeReaping(send, deps);
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
export async function prune({ connection }: PostgresDeps): Promise<void> {
  for (const statement of [rememberSql, oldCoordinatorsSql, oldTasksSql])
    await connection.query(statement, goneRetentionMs);
}
