import type { HostRecord } from '../../model/host.ts';
import type { QueueItem, QueueRecord, QueueState } from '../../model/queue.ts';
import type { ItemPage } from '../../queue/ports.ts';
import type { RunOwner, RunRecord, RunRef } from '../../model/run/run.ts';
import type { Database } from '../database/database.ts';
import { ensureHost, listHosts } from '../hosts/hosts.ts';
import { type RunRow, selectRun, toRunRecord } from '../runs/rows.ts';
import { readHold } from './holds.ts';
import { countActive, workflowLimit, type ItemRow } from './wait.ts';

export const queueOfSql = 'SELECT queue FROM run WHERE dag = ? AND run_id = ?';
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

export const findQueueOf = (database: Database, run: RunRef): string | undefined =>
  database.get<{ queue: string | null }>(queueOfSql, run.name, run.dagRunId)?.queue ?? undefined;

export function setQueueState(
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
export const readQueueVersion = (database: Database): number =>
  database.get<{ version: number | null }>('SELECT max(version) AS version FROM queue')!.version ?? 0;

export const findQueue = (database: Database, queue: string): QueueRecord | undefined =>
  database.read(() => {
    const record = readQueue(database, queue);
    return record.state === 'open' && record.running + record.waiting === 0 ? undefined : record;
  });

export const listQueues = (database: Database): QueueRecord[] =>
  database.read(() =>
    database
      .all<{ name: string }>(queueNamesSql)
      .map(({ name }) => readQueue(database, name))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
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

export const listQueueRuns = (database: Database, queue: string, limit: number): RunRecord[] =>
  database
    .all<RunRow>(queueRunsSql, queue, limit)
    .map(toRunRecord)
    .toSorted((left, right) => left.key - right.key);

export function listQueueItems(database: Database, queue: string, { after, limit }: ItemPage): QueueItem[] {
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

export function setQueueHost(database: Database, owner: RunOwner, isProcessing: boolean, at: number): void {
  database.write(() => {
    const key = ensureHost(database, owner, at);
    if (isProcessing)
      database.run('INSERT INTO queue_host (host_key) VALUES (?) ON CONFLICT DO NOTHING', key);
    else database.run('DELETE FROM queue_host WHERE host_key = ?', key);
  });
}

export const listQueueHosts = (database: Database): HostRecord[] =>
  listHosts(database, 'SELECT * FROM host WHERE key IN (SELECT host_key FROM queue_host) ORDER BY key');
