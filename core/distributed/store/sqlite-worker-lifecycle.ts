import type {
  Heartbeat,
  HeartbeatReply,
  TaskLease,
  WorkerRegistration,
  WorkerLease,
  WorkerRef,
} from '../../store/types/dispatch.ts';
import {
  writeLabels,
  lostReasons,
  toCredential,
  type CredentialRow,
  type ChangeKind,
  endedStates,
  coordinatorLeaseMs,
  goneRetentionMs,
} from './rows.ts';
import type { SqliteContext } from './sqlite-changes.ts';

const insertSql = /* sql */ `
  INSERT INTO worker (id, epoch, life, labels, slots, version, host, pid, registered_at, beat_at, lease_until,
    credential_sha256, credential_token, credential_labels)
  VALUES (?, (SELECT last_epoch + 1 FROM dispatch_fact), 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET epoch = worker.epoch + 1, life = 'active',
    labels = excluded.labels, slots = excluded.slots, version = excluded.version, host = excluded.host,
    pid = excluded.pid, registered_at = excluded.registered_at, beat_at = excluded.beat_at,
    lease_until = excluded.lease_until, load = NULL, free_bytes = NULL,
    credential_sha256 = coalesce(excluded.credential_sha256, worker.credential_sha256),
    credential_token = coalesce(excluded.credential_token, worker.credential_token),
    credential_labels = coalesce(excluded.credential_labels, worker.credential_labels)`;
const keepSql = /* sql */ `
  UPDATE task SET worker_epoch = ? WHERE key = ? AND fence = ? AND worker_id = ? AND state = 'running'`;

/** Implements `DispatchStore.register`. */
export function register(
  { notifier, database, settings }: SqliteContext,
  registration: WorkerRegistration,
): WorkerLease {
  const { id, credential, keeps } = registration;
  return notifier.write((at, notify) => {
    database.run(
      insertSql,
      id,
      JSON.stringify(writeLabels(registration.labels)),
      registration.slots,
      registration.version,
      registration.host,
      registration.pid,
      at,
      at,
      at + settings.leaseMs,
      credential?.sha256 ?? null,
      credential?.token ?? null,
      credential === undefined ? null : JSON.stringify(writeLabels(credential.labels)),
    );
    const { epoch } = database.get<{ epoch: number }>('SELECT epoch FROM worker WHERE id = ?', id)!;
    const lost = keeps.filter(({ key, fence }) => database.run(keepSql, epoch, key, fence, id).changes === 0);
    revokeTasks(database, id, { at, notify, reason: lostReasons.restarted(id), exceptEpoch: epoch });
    return { id, epoch, leaseMs: settings.leaseMs, lost: lost.map(({ key }) => key) };
  });
}

const markLostSql = /* sql */ `
  UPDATE task SET state = 'lost', fence = fence + 1, ended_at = ?, reason = ?
  WHERE worker_id = ? AND state IN ('claimed', 'running') AND state = 'running' AND worker_epoch <> ?`;
const requeueSql = /* sql */ `
  UPDATE task SET state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL
  WHERE worker_id = ? AND state IN ('claimed', 'running') AND state = 'claimed' AND worker_epoch <> ?`;

/** How to take a worker's tasks. */
interface Revocation {
  readonly at: number;
  readonly notify: (kind: ChangeKind) => void;
  readonly reason: string;
  /** Epoch whose tasks stay with it. */
  readonly exceptEpoch?: number;
}

/**
 * Takes a worker's tasks: confirmed ones are lost, the others become `ready`.
 * @returns the numbers of lost and returned tasks
 */
export function revokeTasks(
  database: SqliteContext['database'],
  id: string,
  { at, notify, reason, exceptEpoch = -1 }: Revocation,
): { lost: number; returned: number } {
  const lost = database.run(markLostSql, at, reason, id, exceptEpoch).changes;
  const returned = database.run(requeueSql, id, exceptEpoch).changes;
  if (lost > 0) notify('changed');
  if (returned > 0) notify('offered');
  return { lost, returned };
}

const renewSql = /* sql */ `
  UPDATE worker SET beat_at = ?, lease_until = ?, load = ?, free_bytes = ?
  WHERE id = ? AND epoch = ? AND life = 'active'`;
const heldSql = /* sql */ `
  SELECT cancel FROM task WHERE key = ? AND fence = ? AND state = 'running' AND worker_id = ? AND worker_epoch = ?`;

/** Implements `DispatchStore.beat`. */
export function beat(
  { notifier, database, settings }: SqliteContext,
  heartbeats: readonly Heartbeat[],
): HeartbeatReply[] {
  return notifier.write((at) =>
    heartbeats.map(({ id, epoch, running, load, freeBytes }): HeartbeatReply => {
      const until = at + settings.leaseMs;
      const values = [at, until, load ?? null, freeBytes ?? null, id, epoch] as const;
      const isUnknown = database.run(renewSql, ...values).changes === 0;
      return {
        isUnknown,
        ...sortTaskLeases(database, { id, epoch }, running),
        isDraining: !isUnknown && isDraining(database, id),
      };
    }),
  );
}

function sortTaskLeases(
  database: SqliteContext['database'],
  { id, epoch }: WorkerRef,
  leases: readonly TaskLease[],
): Pick<HeartbeatReply, 'lost' | 'cancel'> {
  const lost: string[] = [];
  const cancel: { key: string; how: 'stop' | 'kill' }[] = [];
  for (const { key, fence } of leases) {
    const row = database.get<{ cancel: 'stop' | 'kill' | null }>(heldSql, key, fence, id, epoch);
    if (row === undefined) lost.push(key);
    else if (row.cancel !== null) cancel.push({ key, how: row.cancel });
  }
  return { lost, cancel };
}

const isDraining = (database: SqliteContext['database'], id: string): boolean =>
  database.get<{ is_draining: number }>('SELECT is_draining FROM worker WHERE id = ?', id)?.is_draining === 1;

/** Implements `DispatchStore.findCredential`. */
export function findCredential(
  { database, clock }: SqliteContext,
  id: string,
): ReturnType<typeof toCredential> | undefined {
  const row = database.get<Omit<CredentialRow, 'credential_labels'> & { credential_labels: string }>(
    `SELECT credential_sha256, credential_token, credential_labels, lease_until FROM worker
     WHERE id = ? AND credential_sha256 IS NOT NULL`,
    id,
  );
  if (row === undefined) return undefined;
  return toCredential(
    { ...row, credential_labels: JSON.parse(row.credential_labels) as string[] },
    clock.now(),
  );
}

/** Implements `DispatchStore.leave`. */
export function leave({ notifier, database }: SqliteContext, { id, epoch }: WorkerRef): void {
  notifier.write((at, notify) => {
    const { changes } = database.run(
      `UPDATE worker SET life = 'left', lease_until = 0 WHERE id = ? AND epoch = ? AND life <> 'removed'`,
      id,
      epoch,
    );
    if (changes > 0) revokeTasks(database, id, { at, notify, reason: lostReasons.left(id) });
  });
}

/** Implements `DispatchStore.removeWorker`. The row is retained for a while, so that no epoch is reused. */
export function removeWorker({ notifier, database }: SqliteContext, id: string): boolean {
  return notifier.write((at, notify) => {
    const { changes } = database.run(
      `UPDATE worker SET life = 'removed', lease_until = 0, is_draining = 0, credential_sha256 = NULL,
         credential_token = NULL, credential_labels = NULL
       WHERE id = ? AND life <> 'removed'`,
      id,
    );
    revokeTasks(database, id, { at, notify, reason: lostReasons.removed(id) });
    return changes > 0;
  });
}

/** Implements `DispatchStore.setDraining`. */
export const setDraining = ({ database }: SqliteContext, id: string, isOn: boolean): boolean =>
  database.write(() =>
    database.run(
      `UPDATE worker SET is_draining = ? WHERE id = ? AND life IN ('active', 'gone')`,
      Number(isOn),
      id,
    ),
  ).changes > 0;

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
export function reap(context: SqliteContext): { lost: number; returned: number } {
  const { notifier, database, settings } = context;
  return notifier.write((at, notify) => {
    clampFutureTimes(context, at);
    const revoked = canReap(context, at) ? reapWorkers(context, at, notify) : { lost: 0, returned: 0 };
    const { changes } = database.run(unconfirmedSql, at - settings.activationMs);
    if (changes > 0) notify('offered');
    return { lost: revoked.lost, returned: revoked.returned + changes };
  });
}

/** Corrects times in the future, after the clock was set back. */
function clampFutureTimes({ database, settings }: SqliteContext, at: number): void {
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
function canReap(context: SqliteContext, at: number): boolean {
  if (!isAnyAlive(context, at)) {
    postpone(context, at);
    return false;
  }
  const fact = context.database.get<{ reaping_from: number }>('SELECT reaping_from FROM dispatch_fact')!;
  return at >= fact.reaping_from;
}

/** Whether a coordinator is alive. */
export const isAnyAlive = ({ database, settings }: SqliteContext, at: number): boolean =>
  database.get('SELECT 1 FROM coordinator WHERE beat_at > ? LIMIT 1', at - coordinatorLeaseMs(settings)) !==
  undefined;

/** Postpones reclaiming by one lease. */
export function postpone({ database, settings }: SqliteContext, at: number): void {
  database.run('UPDATE dispatch_fact SET reaping_from = ?', at + settings.leaseMs);
}

function reapWorkers(
  { database, settings }: SqliteContext,
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
export function prune({ database }: SqliteContext, at: number): void {
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
