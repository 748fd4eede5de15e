import type { HostRecord, RunOwner, RunRecord, RunRef } from '../model/run.ts';
import type { QueueItem, QueueRecord, QueueState } from '../model/queue.ts';
import type { QueueStore, ItemPage } from './types/queues.ts';
import type { Operations } from './open-store.ts';
import type { Database } from './database/database.ts';
import {
  claimNext,
  discardClaim,
  listOpenClaims,
  listOpenQueues,
  returnClaim,
  findWait,
  readHold,
  countActive,
  workflowLimit,
  type ItemRow,
} from './queue-claims.ts';
import { dequeue, dequeueOldest, clearQueue, moveItem } from './queue-changes.ts';
import { ensureHost, listHosts } from './hosts.ts';
import { type RunRow, selectRun, toRunRecord } from './run-rows.ts';

/** Creates the queue store of a home's database. */
export function createQueueStore(database: Database): Operations<QueueStore> {
  return {
    listOpenQueues: () => listOpenQueues(database),
    findRunQueue: (run) => findRunQueue(database, run),
    claimNext: (options, at) => claimNext(database, options, at),
    listOpenClaims: () => listOpenClaims(database),
    returnClaim: (claim, reason, at) => returnClaim(database, claim, reason, at),
    discardClaim: (claim, reason, at) => discardClaim(database, claim, reason, at),
    dequeue: (run, by, at) => dequeue(database, run, by, at),
    dequeueOldest: (queue, by, at) => dequeueOldest(database, queue, by, at),
    clearQueue: (queue, by, limits) => clearQueue(database, queue, by, limits),
    moveItem: (position) => moveItem(database, position),
    setQueueState: (queue, state, by, at) => setQueueState(database, { queue, state, by }, at),
    queueVersion: () => readQueueVersion(database),
    findQueue: (queue) => findQueue(database, queue),
    listQueues: () => listQueues(database),
    listQueueRuns: (queue, limit) => listQueueRuns(database, queue, limit),
    listQueueItems: (queue, page) => listQueueItems(database, queue, page),
    findWait: (runKey, getLimit) => database.read(() => findWait(database, runKey, getLimit)),
    setQueueHost: (owner, isProcessing, at) => setQueueHost(database, owner, isProcessing, at),
    listQueueHosts: () => listQueueHosts(database),
  };
}

export const runQueueSql = 'SELECT queue FROM run WHERE dag = ? AND run_id = ?';
/** One seek per queue, independent of its waiting and past runs. */
export const queueNamesSql = /* sql */ `
  WITH RECURSIVE
  waiting (name) AS (
    SELECT min(queue) FROM queue_item WHERE claimed_at IS NULL
    UNION ALL
    SELECT (SELECT min(queue) FROM queue_item WHERE claimed_at IS NULL AND queue > waiting.name)
    FROM waiting WHERE waiting.name IS NOT NULL
  ),
  active (name) AS (
    SELECT min(queue) FROM run WHERE finished_at IS NULL AND queue IS NOT NULL
    UNION ALL
    SELECT (SELECT min(queue) FROM run WHERE finished_at IS NULL AND queue > active.name)
    FROM active WHERE active.name IS NOT NULL
  )
  SELECT name FROM waiting WHERE name IS NOT NULL
  UNION SELECT name FROM active WHERE name IS NOT NULL
  UNION SELECT name FROM queue WHERE state <> 'open'`;
export const countWaitingSql =
  'SELECT count(*) AS waiting FROM queue_item WHERE claimed_at IS NULL AND queue = ?';
export const headLimitSql = /* sql */ `
  SELECT max_active_runs FROM queue_item INDEXED BY queue_item_ready
  WHERE claimed_at IS NULL AND worker_selector IS NULL AND queue = ?
  ORDER BY priority DESC, key LIMIT 1`;
export const queueRunsSql = /* sql */ `
  ${selectRun} WHERE finished_at IS NULL AND queue = ? AND status IN ('not_started', 'running') LIMIT ?`;
export const claimedItemsSql =
  'SELECT * FROM queue_item WHERE claimed_at IS NOT NULL AND queue = ? ORDER BY key';
export const waitingItemsSql = /* sql */ `
  SELECT * FROM queue_item WHERE claimed_at IS NULL AND queue = ? AND (-priority, key) > (?, ?)
  ORDER BY priority DESC, key LIMIT ?`;

const findRunQueue = (database: Database, run: RunRef): string | undefined =>
  database.get<{ queue: string | null }>(runQueueSql, run.name, run.dagRunId)?.queue ?? undefined;

function setQueueState(
  database: Database,
  change: { readonly queue: string; readonly state: QueueState; readonly by: string },
  at: number,
): void {
  database.write(() => {
    database.run(
      /* sql */ `
      INSERT INTO queue (name, state, changed_by, changed_at, version) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET state = excluded.state, changed_by = excluded.changed_by,
        changed_at = excluded.changed_at, version = excluded.version`,
      change.queue,
      change.state,
      change.by,
      at,
      readQueueVersion(database) + 1,
    );
  });
}

/** Implements `QueueStore.queueVersion`. The table has a row for each queue that was ever paused. */
const readQueueVersion = (database: Database): number =>
  database.get<{ version: number | null }>('SELECT max(version) AS version FROM queue')!.version ?? 0;

const findQueue = (database: Database, queue: string): QueueRecord | undefined =>
  database.read(() => {
    const record = readQueue(database, queue);
    return record.state === 'open' && record.running + record.waiting === 0 ? undefined : record;
  });

const listQueues = (database: Database): QueueRecord[] =>
  database.read(() =>
    database
      .all<{ name: string }>(queueNamesSql)
      .map(({ name }) => readQueue(database, name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );

function readQueue(database: Database, name: string): QueueRecord {
  const row = database.get<{ state: QueueState; changed_by: string }>(
    'SELECT state, changed_by FROM queue WHERE name = ?',
    name,
  );
  const { waiting } = database.get<{ waiting: number }>(countWaitingSql, name)!;
  const head = database.get<{ max_active_runs: number }>(headLimitSql, name);
  const headLimit = head && workflowLimit(head.max_active_runs);
  const state = row?.state ?? 'open';
  const hold = waiting === 0 ? undefined : readHold(database, name);
  return {
    name,
    state,
    ...(row === undefined || state === 'open' ? {} : { by: row.changed_by }),
    running: countActive(database, name),
    waiting,
    ...(headLimit === undefined ? {} : { headLimit }),
    ...(hold === undefined ? {} : { hold }),
  };
}

const listQueueRuns = (database: Database, queue: string, limit: number): RunRecord[] =>
  database
    .all<RunRow>(queueRunsSql, queue, limit)
    .map(toRunRecord)
    .toSorted((a, b) => a.key - b.key);

function listQueueItems(database: Database, queue: string, { after, limit }: ItemPage): QueueItem[] {
  return database.read(() => {
    const claimed = after === undefined ? database.all<ItemRow>(claimedItemsSql, queue) : [];
    const { priority, key } = after ?? { priority: Number.MAX_SAFE_INTEGER, key: 0 };
    const waiting = database.all<ItemRow>(waitingItemsSql, queue, -priority, key, limit);
    return [...claimed, ...waiting].slice(0, limit).map((row) => toItem(database, row));
  });
}

const toItem = (database: Database, row: ItemRow): QueueItem => ({
  run: toRunRecord(database.get<RunRow>(`${selectRun} WHERE key = ?`, row.run_key)!),
  queue: row.queue,
  priority: row.priority,
  enqueuedAt: row.enqueued_at,
  claimedAt: row.claimed_at ?? undefined,
  key: row.key,
});

function setQueueHost(database: Database, owner: RunOwner, isProcessing: boolean, at: number): void {
  database.write(() => {
    const key = ensureHost(database, owner, at);
    if (isProcessing)
      database.run('INSERT INTO queue_host (host_key) VALUES (?) ON CONFLICT DO NOTHING', key);
    else database.run('DELETE FROM queue_host WHERE host_key = ?', key);
  });
}

const listQueueHosts = (database: Database): HostRecord[] =>
  listHosts(database, 'SELECT * FROM host WHERE key IN (SELECT host_key FROM queue_host) ORDER BY key');
