import {
  type OpenClaim,
  type QueueClaim,
  maxCounted,
  maxListed,
  type QueueState,
  type Wait,
  formatWait,
  type StoredReason,
  type StoredWait,
} from '../model/queue.ts';
import type { RunRef } from '../model/run.ts';
import { formatActor } from '../model/run-event.ts';
import type { QueueClaimRequest, QueueLimitLookup } from './types/queues.ts';
import type { Database } from './database/database.ts';
import { applyRunEvent } from './events/apply-run-event.ts';
import { insertEvent } from './events/events.ts';
import { findHost, setOwner } from './hosts.ts';

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

/**
 * Implements `QueueStore.claimNext`. Writes only when there is something to claim or to store; hosts take turns per
 * queue.
 */
export function claimNext(database: Database, options: QueueClaimRequest, at: number): QueueClaim[] {
  const isSettled = database.read(() => {
    const front = readFront(database, options);
    return (
      front.rows.length === 0 &&
      (!front.isKnown || isStored(database, options.queue, explainHold(database, options, front)))
    );
  });
  if (isSettled) return [];
  return database.writeParallel(() => {
    database.lock(`queue ${options.queue}`);
    const now = readFront(database, options);
    const claims = now.rows.map((row) => {
      database.run('UPDATE queue_item SET claimed_at = ? WHERE run_key = ?', at, row.run_key);
      const epoch = setOwner(database, { key: row.run_key, epoch: row.epoch }, options.owner, at);
      return { runKey: row.run_key, name: row.dag, dagRunId: row.run_id, queue: options.queue, epoch };
    });
    if (now.isKnown) saveHold(database, options.queue, explainHold(database, options, now), at);
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
  /** Whether it reports what blocks the queue: not when there may be more to claim, or when the queue is paused. */
  readonly isKnown: boolean;
}

const explainHold = (
  database: Database,
  { queue }: QueueClaimRequest,
  { fullAt, running }: QueueFront,
): string | undefined =>
  fullAt === undefined ? undefined : explainFullQueue(database, queue, running, fullAt);

/** Returns the first waiting runs that there is room for. The limits of workflows apply when they reach the front. */
function readFront(database: Database, { queue, limit, max }: QueueClaimRequest): QueueFront {
  const paused = database.defer("SELECT 1 AS paused FROM queue WHERE name = ? AND state = 'paused'", queue);
  const counted = database.defer<{ active: number }>(countActiveInQueueSql, queue, queue);
  const next = database.defer<NextRow>(nextItemsSql, queue, max);
  if (paused().length > 0) return { rows: [], running: 0, isKnown: false };
  const { active } = counted()[0]!;
  const rows = next();
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

export const itemSql = 'SELECT * FROM queue_item WHERE run_key = ?';
/** Runs that count against the limit of their queue: active ones, and those that a host is about to start. */
export const countActiveInQueueSql = /* sql */ `
  SELECT (SELECT count(*) FROM run WHERE finished_at IS NULL AND queue = ? AND status IN ('not_started', 'running'))
    + (SELECT count(*) FROM queue_item WHERE claimed_at IS NOT NULL AND queue = ?) AS active`;
export const activeInQueueSql = /* sql */ `
  SELECT dag, run_id FROM run WHERE finished_at IS NULL AND queue = ? AND status IN ('not_started', 'running')
  LIMIT ?`;
export const claimedInQueueSql = /* sql */ `
  SELECT run.dag, run.run_id FROM queue_item CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NOT NULL AND queue_item.queue = ? ORDER BY queue_item.key LIMIT ?`;
/** Waiting runs, without those that a host has claimed. The index contains a column that is no longer filled. */
const ready = 'queue_item INDEXED BY queue_item_ready';
/** Equal priorities in order of arrival, after all higher ones. The count stops at a limit. */
export const countAheadSql = /* sql */ `
  SELECT (SELECT count(*) FROM (
      SELECT 1 FROM ${ready}
      WHERE claimed_at IS NULL AND worker_selector IS NULL AND queue = ? AND priority > ? LIMIT ${maxCounted}) AS counted)
    + (SELECT count(*) FROM (
      SELECT 1 FROM ${ready}
      WHERE claimed_at IS NULL AND worker_selector IS NULL AND queue = ? AND priority = ? AND key < ?
      LIMIT ${maxCounted}) AS counted)
    AS ahead`;
export const headsSql = /* sql */ `
  SELECT run.dag, run.run_id, queue_item.priority FROM ${ready} CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NULL AND queue_item.worker_selector IS NULL AND queue_item.queue = ?
  ORDER BY queue_item.priority DESC, queue_item.key LIMIT ?`;

/** A row of the table `queue_item`. */
export interface ItemRow {
  readonly key: number;
  readonly run_key: number;
  readonly queue: string;
  readonly priority: number;
  readonly enqueued_at: number;
  readonly max_active_runs: number;
  readonly claimed_at: number | null;
}

interface RefRow {
  readonly dag: string;
  readonly run_id: string;
}

/** Counts the runs of a queue that are active or about to be. */
export const countActive = (database: Database, queue: string): number =>
  database.get<{ active: number }>(countActiveInQueueSql, queue, queue)!.active;

/**
 * Returns how many runs may be active when the workflow sets the limit: at least one; undefined when the workflow sets
 * no limit.
 */
export const workflowLimit = (maxActiveRuns: number): number | undefined =>
  maxActiveRuns < 0 ? undefined : Math.max(1, maxActiveRuns);

/** A run that is added to a queue before another one, in the same transaction. */
export interface AddedItem extends RunRef {
  readonly queue: string;
  readonly priority: number;
}

/**
 * Explains why an item waits, once what that depends on has been read with the next statement. Only inside a
 * transaction.
 * @returns a function of the items that were added after these reads
 */
export function deferExplanation(
  database: Database,
  item: Omit<ItemRow, 'run_key'>,
  getLimit: QueueLimitLookup,
): (added?: readonly AddedItem[]) => Wait {
  const { queue, priority } = item;
  const active = database.deferUnchecked<{ active: number }>(countActiveInQueueSql, queue, queue);
  const counted = database.deferUnchecked<{ ahead: number }>(
    countAheadSql,
    ...[queue, priority, queue, priority, item.key],
  );
  const states = database.deferUnchecked<{ state: QueueState; changed_by: string }>(
    'SELECT state, changed_by FROM queue WHERE name = ?',
    queue,
  );
  return (added = []) =>
    explain(database, item, {
      running: active()[0]!.active,
      aheadInStore: counted()[0]!.ahead,
      state: states()[0],
      limit: getLimit(queue) ?? workflowLimit(item.max_active_runs),
      added: added.filter((other) => other.queue === queue && other.priority >= priority),
    });
}

interface QueueCircumstances {
  readonly running: number;
  readonly aheadInStore: number;
  readonly state: { readonly state: QueueState; readonly changed_by: string } | undefined;
  readonly limit: number | undefined;
  readonly added: readonly AddedItem[];
}

function explain(
  database: Database,
  item: Omit<ItemRow, 'run_key'>,
  { running, aheadInStore, state, limit: known, added }: QueueCircumstances,
): Wait {
  const { queue, priority } = item;
  const ahead = Math.min(aheadInStore + added.length, maxCounted);
  const waitInfo = { queue, priority, enqueuedAt: item.enqueued_at, running, limit: known, ahead };
  if (item.claimed_at !== null) return { ...waitInfo, kind: 'starting', behind: [] };
  if (state?.state === 'paused') return { ...waitInfo, kind: 'paused', behind: [], by: state.changed_by };
  if (known !== undefined && running >= known && ahead === 0)
    return { ...waitInfo, kind: 'full', behind: listActive(database, queue) };
  if (ahead > 0) return { ...waitInfo, kind: 'behind', behind: findHead(database, queue, added) };
  return { ...waitInfo, kind: 'next', behind: [] };
}

/** Returns the first waiting run of a queue. */
function findHead(database: Database, queue: string, added: readonly AddedItem[]): RunRef[] {
  const stored = database.deferUnchecked<RefRow & { priority: number }>(headsSql, queue, 1)();
  const heads = [
    ...stored.map(({ dag: name, run_id: dagRunId, priority }) => ({ name, dagRunId, priority })),
    ...added,
  ];
  const highest = Math.max(...heads.map(({ priority }) => priority));
  return heads
    .filter(({ priority }) => priority === highest)
    .slice(0, 1)
    .map(({ name, dagRunId }) => ({ name, dagRunId }));
}

/** Lists the first few runs that occupy a queue. */
function listActive(database: Database, queue: string): RunRef[] {
  const active = list(database, activeInQueueSql, queue, maxListed);
  if (active.length === maxListed) return active;
  return [...active, ...list(database, claimedInQueueSql, queue, maxListed - active.length)];
}

const list = (database: Database, sql: string, queue: string, max: number): RunRef[] =>
  database
    .deferUnchecked<RefRow>(sql, queue, max)()
    .map(({ dag, run_id: dagRunId }) => ({ name: dag, dagRunId }));

export const queueHoldSql = 'SELECT reason, at FROM queue_hold WHERE queue = ?';
export const storedErrorSql = 'SELECT error FROM run WHERE key = ?';
const queueStateSql = 'SELECT state, changed_by, changed_at FROM queue WHERE name = ?';

/** Describes a full queue in one sentence. */
function explainFullQueue(database: Database, queue: string, running: number, limit: number): string {
  const behind = listActive(database, queue);
  return formatWait({
    kind: 'full',
    ...{ queue, running, limit, behind },
    ...{ priority: 0, enqueuedAt: 0, ahead: 0 },
  });
}

/** Whether this reason is already stored for a queue; undefined: nothing blocks it. */
const isStored = (database: Database, queue: string, reason: string | undefined): boolean =>
  database.get<StoredReason>(queueHoldSql, queue)?.reason === reason;

/** Stores what blocks the next run of a queue, if anything. Only inside a write transaction. */
function saveHold(database: Database, queue: string, reason: string | undefined, at: number): void {
  if (isStored(database, queue, reason)) return;
  if (reason === undefined) database.run('DELETE FROM queue_hold WHERE queue = ?', queue);
  else {
    database.run(
      /* sql */ `
      INSERT INTO queue_hold (queue, reason, at) VALUES (?, ?, ?)
      ON CONFLICT (queue) DO UPDATE SET reason = excluded.reason, at = excluded.at`,
      queue,
      reason,
      at,
    );
  }
}

/** Returns the stored reason of the whole queue: the user that paused it, or what blocks its next run. */
export function readHold(database: Database, queue: string): StoredReason | undefined {
  type StateRow = { state: string; changed_by: string; changed_at: number };
  const state = database.get<StateRow>(queueStateSql, queue);
  if (state?.state !== 'paused') return database.get<StoredReason>(queueHoldSql, queue);
  return { reason: `queue ${queue} is paused ${formatActor(state.changed_by)}`, at: state.changed_at };
}

export function findWait(
  database: Database,
  runKey: number,
  getLimit: QueueLimitLookup,
): StoredWait | undefined {
  const item = database.get<ItemRow>(itemSql, runKey);
  if (item === undefined) return undefined;
  const wait = deferExplanation(database, item, getLimit)();
  return { ...wait, kept: readStoredReason(database, item, wait.kind === 'paused') };
}

/** Returns the newest reason stored for a waiting run: of its queue, or from the moment it was queued. */
function readStoredReason(database: Database, item: ItemRow, isPaused: boolean): StoredReason {
  const hold = readHold(database, item.queue);
  if (hold !== undefined && isPaused) return hold;
  if (hold !== undefined && hold.at >= item.enqueued_at) return hold;
  const first = database.get<{ error: string | null }>(storedErrorSql, item.run_key);
  return { reason: first?.error ?? '', at: item.enqueued_at };
}
