import type {
  ClaimedTask,
  ClaimRequest,
  DispatchStore,
  TaskResult,
  CompletionOutcome,
  TaskLease,
  WorkerRef,
} from '../../store/types/dispatch.ts';
import { allocateRoundRobin, type WorkerCapacity } from './rows.ts';
import type { SqliteContext } from './sqlite-changes.ts';

const activeWorkerSql = /* sql */ `
  SELECT labels, slots FROM worker
  WHERE id = ? AND epoch = ? AND life = 'active' AND is_draining = 0 AND lease_until > ?`;
const nextSql = /* sql */ `
  SELECT id, key, fence, payload FROM task INDEXED BY task_ready
  WHERE state = 'ready' AND NOT EXISTS (
    SELECT 1 FROM json_each(task.selector) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(?)))
  ORDER BY priority DESC, id LIMIT ?`;
const takeSql = /* sql */ `
  UPDATE task SET state = 'claimed', fence = fence + 1, worker_id = ?, worker_epoch = ?, claimed_at = ? WHERE id = ?`;

interface NextRow {
  readonly id: number;
  readonly key: string;
  readonly fence: number;
  readonly payload: string;
}

/** Implements `DispatchStore.claim`. Workers with equal labels share one query of ready tasks, round-robin. */
export function claim(
  { notifier, database }: SqliteContext,
  requests: readonly ClaimRequest[],
): Map<string, ClaimedTask[]> {
  const claimed = new Map<string, ClaimedTask[]>();
  if (database.get(`SELECT 1 FROM task WHERE state = 'ready' LIMIT 1`) === undefined) return claimed;
  notifier.write((at) => {
    for (const [labels, group] of groupByLabels(database, requests, at)) {
      const capacities = allocateRoundRobin(group);
      const rows = database.all<NextRow>(nextSql, labels, capacities.length);
      for (const [index, { id, key, fence, payload }] of rows.entries()) {
        const { worker } = capacities[index]!;
        database.run(takeSql, worker.id, worker.epoch, at, id);
        const task = { key, fence: fence + 1, payload };
        const tasks = claimed.get(worker.id);
        if (tasks === undefined) claimed.set(worker.id, [task]);
        else tasks.push(task);
      }
    }
  });
  return claimed;
}

/** Groups active workers by labels. */
function groupByLabels(
  database: SqliteContext['database'],
  requests: readonly ClaimRequest[],
  at: number,
): Map<string, WorkerCapacity[]> {
  const groups = new Map<string, WorkerCapacity[]>();
  for (const { id, epoch, free } of requests) {
    const workerRow = database.get<{ labels: string; slots: number }>(activeWorkerSql, id, epoch, at);
    if (workerRow === undefined) continue;
    const capacity = { worker: { id, epoch }, free: Math.min(free, workerRow.slots) };
    const group = groups.get(workerRow.labels);
    if (group === undefined) groups.set(workerRow.labels, [capacity]);
    else group.push(capacity);
  }
  return groups;
}

const releaseSql = /* sql */ `
  UPDATE task SET state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL
  WHERE key = ? AND fence = ? AND state = 'claimed'`;

/** Implements `DispatchStore.release`. */
export function release({ notifier, database }: SqliteContext, leases: readonly TaskLease[]): void {
  notifier.write((_at, notify) => {
    for (const { key, fence } of leases)
      if (database.run(releaseSql, key, fence).changes > 0) notify('offered');
  });
}

const beginSql = /* sql */ `
  UPDATE task SET state = 'running', begun_at = ?
  WHERE key = ? AND fence = ? AND worker_id = ? AND worker_epoch = ? AND state = 'claimed' AND EXISTS (
    SELECT 1 FROM worker WHERE worker.id = task.worker_id AND worker.epoch = task.worker_epoch
      AND worker.life = 'active' AND worker.lease_until > ?)`;
const heldSql = /* sql */ `
  SELECT place, dag, run_id, run_key FROM task
  WHERE key = ? AND fence = ? AND worker_id = ? AND worker_epoch = ? AND state = 'running'`;

/** Implements `DispatchStore.begin`. */
export function begin(
  { notifier, database }: SqliteContext,
  { id, epoch }: WorkerRef,
  leases: readonly TaskLease[],
): string[] {
  return notifier.write((at, notify) => {
    const confirmed = leases.filter(({ key, fence }) => {
      const isConfirmed = database.run(beginSql, at, key, fence, id, epoch, at).changes > 0;
      if (isConfirmed) notify('changed');
      return isConfirmed || database.get(heldSql, key, fence, id, epoch) !== undefined;
    });
    return confirmed.map(({ key }) => key);
  });
}

const settleSql = /* sql */ `
  UPDATE task SET state = 'settled', result = ?, ended_at = ?
  WHERE key = ? AND fence = ? AND worker_id = ? AND worker_epoch = ? AND state = 'running'`;
const duplicateSql = /* sql */ `
  SELECT 1 FROM task WHERE key = ? AND fence = ? AND state = 'settled' AND worker_id = ? AND result = ?`;

/** Implements `DispatchStore.settle`. */
export function settle(
  { notifier, database }: SqliteContext,
  taskResults: readonly TaskResult[],
): CompletionOutcome[] {
  return notifier.write((at, notify) =>
    taskResults.map(({ id, epoch, key, fence, result }): CompletionOutcome => {
      if (database.run(settleSql, result, at, key, fence, id, epoch).changes > 0) {
        notify('changed');
        return 'settled';
      }
      if (database.get(duplicateSql, key, fence, id, result) !== undefined) return 'again';
      database.run('UPDATE dispatch_fact SET stale_refused = stale_refused + 1');
      return 'stale';
    }),
  );
}

/** Implements `DispatchStore.findHeld`. */
export async function findHeld(
  { database }: SqliteContext,
  { id, epoch }: WorkerRef,
  { key, fence }: TaskLease,
): ReturnType<DispatchStore['findHeld']> {
  const row = database.get<{ place: string; dag: string; run_id: string; run_key: number }>(
    heldSql,
    key,
    fence,
    id,
    epoch,
  );
  if (row === undefined) return undefined;
  return { attemptDir: row.place, run: { name: row.dag, dagRunId: row.run_id }, runKey: row.run_key };
}

const cancelsSql = /* sql */ `
  SELECT key, cancel FROM task
  WHERE worker_id = ? AND worker_epoch = ? AND state IN ('claimed', 'running') AND cancel IS NOT NULL`;

/** Implements `DispatchStore.findCancels`. */
export function findCancels(
  { database }: SqliteContext,
  workers: readonly WorkerRef[],
): Map<string, { key: string; how: 'stop' | 'kill' }[]> {
  const cancels = new Map<string, { key: string; how: 'stop' | 'kill' }[]>();
  for (const { id, epoch } of workers) {
    const rows = database.all<{ key: string; cancel: 'stop' | 'kill' }>(cancelsSql, id, epoch);
    if (rows.length > 0)
      cancels.set(
        id,
        rows.map(({ key, cancel }) => ({ key, how: cancel })),
      );
  }
  return cancels;
}
