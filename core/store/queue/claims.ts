import type { OpenClaim, QueueClaim } from '../../model/queue.ts';
import type { QueueClaimRequest } from '../../queue/ports.ts';
import type { Database } from '../database/database.ts';
import { applyRunEvent } from '../events/apply-run-event.ts';
import { insertEvent } from '../events/events.ts';
import { findHost } from '../hosts/hosts.ts';
import { setOwner } from '../runs/changes/set-owner.ts';
import { describeFullQueue, isStored, saveHold } from './holds.ts';
import { countActive, workflowLimit } from './wait.ts';

/** The index contains `worker_selector`, which is no longer filled. */
export const nextItemsSql = /* sql */ `
  SELECT queue_item.run_key, queue_item.max_active_runs, run.dag, run.run_id, run.epoch
  FROM queue_item INDEXED BY queue_item_ready CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NULL AND queue_item.worker_selector IS NULL AND queue_item.queue = ?
  ORDER BY queue_item.priority DESC, queue_item.key LIMIT ?`;
/** One seek per queue, without a scan over waiting runs. */
export const openQueuesSql = /* sql */ `
  WITH RECURSIVE names (name) AS (
    SELECT min(queue) FROM queue_item WHERE claimed_at IS NULL
    UNION ALL
    SELECT (SELECT min(queue) FROM queue_item WHERE claimed_at IS NULL AND queue > names.name)
    FROM names WHERE names.name IS NOT NULL
  )
  SELECT name FROM names WHERE name IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.name = names.name AND queue.state = 'paused')`;
export const openClaimsSql = /* sql */ `
  SELECT queue_item.run_key, queue_item.queue, run.dag, run.run_id, run.epoch, run.owner_key
  FROM queue_item INDEXED BY queue_item_claimed CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NOT NULL AND run.owner_key IS NOT NULL ORDER BY queue_item.queue, queue_item.key`;
export const claimedItemSql = /* sql */ `
  SELECT queue_item.queue, run.epoch FROM run CROSS JOIN queue_item ON queue_item.run_key = run.key
  WHERE run.key = ? AND run.status = 'queued' AND queue_item.claimed_at IS NOT NULL`;

interface NextRow {
  readonly run_key: number;
  readonly max_active_runs: number;
  readonly dag: string;
  readonly run_id: string;
  readonly epoch: number;
}

export const listOpenQueues = (database: Database): string[] =>
  database.all<{ name: string }>(openQueuesSql).map(({ name }) => name);

/** Implements `QueueStore.claimNext`. Takes the write lock only when there is something to claim or to store. */
export function claimNext(database: Database, options: QueueClaimRequest, at: number): QueueClaim[] {
  const front = readFront(database, options);
  const isSettled =
    front.rows.length === 0 &&
    (!front.isKnown || isStored(database, options.queue, describeHold(database, options, front)));
  if (isSettled) return [];
  return database.write(() => {
    const now = readFront(database, options);
    const claims = now.rows.map((row) => {
      database.run('UPDATE queue_item SET claimed_at = ? WHERE run_key = ?', at, row.run_key);
      const epoch = setOwner(database, { key: row.run_key, epoch: row.epoch }, options.owner, at);
      return { runKey: row.run_key, name: row.dag, dagRunId: row.run_id, queue: options.queue, epoch };
    });
    if (now.isKnown) saveHold(database, options.queue, describeHold(database, options, now), at);
    return claims;
  });
}

/** The front of a queue. */
interface QueueFront {
  /** Runs that may be claimed. */
  readonly rows: readonly NextRow[];
  /** The queue is full with them, at this limit. */
  readonly fullAt?: number;
  /** Active runs of the queue, including these. */
  readonly running: number;
  /** Whether it shows what blocks the queue: not when there may be more to claim, or when the queue is paused. */
  readonly isKnown: boolean;
}

const describeHold = (
  database: Database,
  { queue }: QueueClaimRequest,
  { fullAt, running }: QueueFront,
): string | undefined =>
  fullAt === undefined ? undefined : describeFullQueue(database, queue, running, fullAt);

/** Returns the first waiting runs that there is room for. The limits of workflows apply when they reach the front. */
function readFront(database: Database, { queue, limit, max }: QueueClaimRequest): QueueFront {
  const paused = database.get("SELECT 1 FROM queue WHERE name = ? AND state = 'paused'", queue);
  if (paused !== undefined) return { rows: [], running: 0, isKnown: false };
  const active = countActive(database, queue);
  const rows = database.all<NextRow>(nextItemsSql, queue, max);
  for (const [index, row] of rows.entries()) {
    const fullAt = limit ?? workflowLimit(row.max_active_runs);
    const running = active + index;
    if (fullAt !== undefined && running >= fullAt)
      return { rows: rows.slice(0, index), fullAt, running, isKnown: true };
  }
  return { rows, running: active + rows.length, isKnown: rows.length < max };
}

export function listOpenClaims(database: Database): OpenClaim[] {
  type ClaimRow = NextRow & { readonly queue: string; readonly owner_key: number };
  return database.all<ClaimRow>(openClaimsSql).flatMap((row) => {
    const host = findHost(database, row.owner_key);
    const { run_key: runKey, dag: name, run_id: dagRunId, queue, epoch } = row;
    return host === undefined ? [] : [{ runKey, name, dagRunId, queue, epoch, host }];
  });
}

type ClaimedRun = Pick<QueueClaim, 'runKey' | 'epoch'>;

/** Implements `QueueStore.returnClaim`. The claim's writes are rejected from then on, because its epoch has ended. */
export function returnClaim(database: Database, claim: ClaimedRun, reason: string, at: number): boolean {
  return database.write(() => {
    const item = findClaimed(database, claim);
    if (item === undefined) return false;
    database.run('UPDATE queue_item SET claimed_at = NULL WHERE run_key = ?', claim.runKey);
    database.run(
      /* sql */ `
      UPDATE run SET epoch = epoch + 1, owner_host = NULL, owner_pid = NULL, owner_pid_start = NULL,
        owner_boot_id = NULL, owner_key = NULL WHERE key = ?`,
      claim.runKey,
    );
    const message = `Returned to queue ${item.queue}: ${reason}`;
    insertEvent(database, claim.runKey, at, { type: 'run.message', level: 'warning', message });
    return true;
  });
}

export function discardClaim(database: Database, claim: ClaimedRun, reason: string, at: number): boolean {
  return database.write(() => {
    if (findClaimed(database, claim) === undefined) return false;
    database.run('UPDATE run SET epoch = epoch + 1 WHERE key = ?', claim.runKey);
    endQueuedRun(database, claim.runKey, { status: 'failed', cause: 'engine', error: reason }, at);
    return true;
  });
}

/** Ends a run that has not become active and removes it from its queue. Only inside a write transaction. */
export function endQueuedRun(
  database: Database,
  runKey: number,
  end: {
    readonly status: 'failed' | 'aborted';
    readonly cause: 'engine' | 'stopped';
    readonly error: string;
  },
  at: number,
): void {
  const event = { type: 'run.finished', ...end, outputs: {} } as const;
  applyRunEvent(database, { runKey, status: 'queued' }, at, event);
  insertEvent(database, runKey, at, event);
}

/** Returns a claimed run that has not become active, while the claim is valid. */
function findClaimed(database: Database, { runKey, epoch }: ClaimedRun): { queue: string } | undefined {
  const row = database.get<{ queue: string; epoch: number }>(claimedItemSql, runKey);
  return row?.epoch === epoch ? row : undefined;
}
