import { lostReasons } from '../reasons.ts';
import { coordinatorLeaseMs, goneRetentionMs } from '../settings.ts';
import { endedStates, type ChangeKind } from '../rows.ts';
import type { SqliteDeps } from './parts.ts';
import { revokeTasks } from './worker-life.ts';

const expiredSql = /* sql */ `
  SELECT id FROM worker WHERE life = 'active' AND lease_until <= ?`;
/**
 * Tasks that belong to no current registration of a worker. There should be none, but nothing else would handle them.
 */
const staleTasksSql = /* sql */ `
  SELECT DISTINCT task.worker_id AS id, coalesce(worker.epoch, -1) AS epoch
  FROM task LEFT JOIN worker ON worker.id = task.worker_id AND worker.life = 'active'
  WHERE task.state IN ('claimed', 'running') AND task.worker_epoch IS NOT worker.epoch`;
const unconfirmedSql = /* sql */ `
  UPDATE task SET state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL
  WHERE state IN ('claimed', 'running') AND state = 'claimed' AND claimed_at <= ?`;

/** Implements `DispatchStore.reap`. */
export function reap(deps: SqliteDeps): { lost: number; returned: number } {
  const { notifier, database, settings } = deps;
  return notifier.write((at, notify) => {
    clampFutureTimes(deps, at);
    const revoked = canReap(deps, at) ? reapWorkers(deps, at, notify) : { lost: 0, returned: 0 };
    const { changes } = database.run(unconfirmedSql, at - settings.activationMs);
    if (changes > 0) notify('offered');
    return { lost: revoked.lost, returned: revoked.returned + changes };
  });
}

/** Corrects times in the future, after the clock was set back. */
function clampFutureTimes({ database, settings }: SqliteDeps, at: number): void {
  const until = at + settings.leaseMs;
  database.run('UPDATE worker SET lease_until = ? WHERE lease_until > ?', until, until);
  database.run('UPDATE coordinator SET beat_at = ? WHERE beat_at > ?', at, at);
  database.run('UPDATE dispatch_fact SET reaping_from = ? WHERE reaping_from > ?', until, until);
  database.run(
    `UPDATE task SET claimed_at = ? WHERE state IN ('claimed', 'running') AND state = 'claimed' AND claimed_at > ?`,
    at,
    at,
  );
}

/**
 * Whether tasks may be reclaimed. Without a live coordinator, workers cannot send heartbeats, so their leases mean
 * nothing.
 */
function canReap(deps: SqliteDeps, at: number): boolean {
  if (!isAnyAlive(deps, at)) {
    postpone(deps, at);
    return false;
  }
  const fact = deps.database.get<{ reaping_from: number }>('SELECT reaping_from FROM dispatch_fact')!;
  return at >= fact.reaping_from;
}

/** Whether a coordinator is alive. */
export const isAnyAlive = ({ database, settings }: SqliteDeps, at: number): boolean =>
  database.get('SELECT 1 FROM coordinator WHERE beat_at > ? LIMIT 1', at - coordinatorLeaseMs(settings)) !==
  undefined;

/** Postpones reclaiming by one lease. */
export function postpone({ database, settings }: SqliteDeps, at: number): void {
  database.run('UPDATE dispatch_fact SET reaping_from = ?', at + settings.leaseMs);
}

function reapWorkers(
  { database, settings }: SqliteDeps,
  at: number,
  notify: (kind: ChangeKind) => void,
): { lost: number; returned: number } {
  const total = { lost: 0, returned: 0 };
  const revoke = (id: string, reason: string, exceptEpoch?: number): void => {
    const { lost, returned } = revokeTasks(database, id, {
      at,
      notify,
      reason,
      ...(exceptEpoch !== undefined && { exceptEpoch }),
    });
    total.lost += lost;
    total.returned += returned;
  };
  for (const { id } of database.all<{ id: string }>(expiredSql, at)) {
    database.run(`UPDATE worker SET life = 'gone' WHERE id = ?`, id);
    revoke(id, lostReasons.silent(id, settings.leaseMs));
  }
  for (const { id, epoch } of database.all<{ id: string; epoch: number }>(staleTasksSql))
    revoke(id, lostReasons.restarted(id), epoch);
  return total;
}

/** Deletes workers that left long ago, dead coordinators, and ended tasks of deleted runs. */
export function prune({ database }: SqliteDeps, at: number): void {
  database.write(() => {
    const before = at - goneRetentionMs;
    const isOld = `life <> 'active' AND beat_at < ?`;
    database.run(
      `UPDATE dispatch_fact SET last_epoch =
         max(last_epoch, coalesce((SELECT max(epoch) FROM worker WHERE ${isOld}), 0))`,
      before,
    );
    database.run(`DELETE FROM worker WHERE ${isOld}`, before);
    database.run('DELETE FROM coordinator WHERE beat_at < ?', before);
    database.run(
      `DELETE FROM task WHERE state IN ${endedStates} AND ended_at < ?
         AND NOT EXISTS (SELECT 1 FROM run WHERE run.key = task.run_key)`,
      before,
    );
  });
}
