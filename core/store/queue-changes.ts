import { AppError, exactRunNotFoundError } from '../base/errors.ts';
import { formatWait, type Wait, maxMoved } from '../model/queue.ts';
import { formatActor } from '../model/run-event.ts';
import type { RunRef, RunStatus } from '../model/run.ts';
import type { Waiting } from './types/runs.ts';
import type { Database } from './database/database.ts';
import { type AddedItem, deferExplanation, endQueuedRun } from './queue-claims.ts';
import { insertEvent } from './events/events.ts';
import { recordStopRequest } from './hosts.ts';
import type { QueuePosition } from './types/queues.ts';

interface StateRow {
  readonly state: string;
  readonly changed_by: string;
}

export const queueStateSql = 'SELECT state, changed_by FROM queue WHERE name = ?';

/**
 * Checks whether a queue is draining. Only inside the transaction that adds the run.
 * @returns a function that throws `queue_closed`
 */
export function deferNotDraining(database: Database, queue: string): () => void {
  const rows = database.defer<StateRow>(queueStateSql, queue);
  return () => {
    const [row] = rows();
    if (row?.state !== 'draining') return;
    throw new AppError(
      'queue_closed',
      `Queue ${queue} accepts no new runs: drained ${formatActor(row.changed_by)}. Resume the queue, or use another queue.`,
    );
  };
}

/** Returns why a new run waits, before it is added to its queue. Only inside the transaction that adds it. */
export const deferWait = (
  database: Database,
  { queue, priority, maxActiveRuns, queueLimit }: Waiting & { readonly queue: string },
  at: number,
): ((added?: readonly AddedItem[]) => Wait) =>
  deferExplanation(
    database,
    {
      key: Number.MAX_SAFE_INTEGER,
      ...{ queue, priority, enqueued_at: at, max_active_runs: maxActiveRuns, claimed_at: null },
    },
    () => queueLimit,
  );

/** Adds a new run to its queue and stores why it waits. Only inside the transaction that adds the run. */
export function enqueue(
  database: Database,
  runKey: number,
  waiting: Waiting & { readonly queue: string; readonly wait: Wait },
  at: number,
): void {
  database.run(
    /* sql */ `
    INSERT INTO queue_item (run_key, queue, priority, enqueued_at, max_active_runs) VALUES (?, ?, ?, ?, ?)`,
    runKey,
    waiting.queue,
    waiting.priority,
    at,
    waiting.maxActiveRuns,
  );
  database.run('UPDATE run SET error = ? WHERE key = ?', formatWait(waiting.wait), runKey);
}

export const waitingRunSql = /* sql */ `
  SELECT run.key, run.status, queue_item.queue, queue_item.claimed_at
  FROM run LEFT JOIN queue_item ON queue_item.run_key = run.key WHERE run.dag = ? AND run.run_id = ?`;
export const oldestItemSql = /* sql */ `
  SELECT queue_item.run_key AS key, run.dag, run.run_id
  FROM queue_item CROSS JOIN run ON run.key = queue_item.run_key
  WHERE queue_item.claimed_at IS NULL AND queue_item.queue = ? ORDER BY queue_item.key LIMIT 1`;

interface WaitingRow {
  readonly key: number;
  readonly status: RunStatus;
  readonly queue: string | null;
  readonly claimed_at: number | null;
}

export function dequeue(database: Database, run: RunRef, by: string, at: number): void {
  database.write(() => {
    const row = database.get<WaitingRow>(waitingRunSql, run.name, run.dagRunId);
    if (row === undefined) throw exactRunNotFoundError(run);
    if (row.queue === null || row.claimed_at !== null) {
      const stateText = row.queue === null ? row.status : 'about to start';
      throw new AppError(
        'not_queued',
        `Run ${run.dagRunId} of ${run.name} is ${stateText} and not queued. Stop it if it is active.`,
      );
    }
    abortQueuedRun(database, row.key, by, at);
  });
}

export function dequeueOldest(database: Database, queue: string, by: string, at: number): RunRef | undefined {
  return database.write(() => {
    const row = database.get<{ key: number; dag: string; run_id: string }>(oldestItemSql, queue);
    if (row === undefined) return undefined;
    abortQueuedRun(database, row.key, by, at);
    return { name: row.dag, dagRunId: row.run_id };
  });
}

/** Ends a waiting run as aborted. It has not started, so no handlers run. Only inside a write transaction. */
export function abortQueuedRun(database: Database, runKey: number, by: string, at: number): void {
  if (recordStopRequest(database, runKey, by).changes === 1)
    insertEvent(database, runKey, at, { type: 'run.stop_requested', by });
  const error = `dequeued ${formatActor(by)}`;
  endQueuedRun(database, runKey, { status: 'aborted', cause: 'stopped', error }, at);
}

export const firstItemsSql = /* sql */ `
  SELECT key, run_key, priority FROM queue_item WHERE claimed_at IS NULL AND queue = ?
  ORDER BY priority DESC, key LIMIT ?`;
export const runItemSql = /* sql */ `
  SELECT queue_item.key, queue_item.run_key, queue_item.priority FROM run
  JOIN queue_item ON queue_item.run_key = run.key
  WHERE run.dag = ? AND run.run_id = ? AND queue_item.queue = ? AND queue_item.claimed_at IS NULL`;

interface ItemKey {
  readonly key: number;
  readonly run_key: number;
  readonly priority: number;
}

export const clearQueue = (
  database: Database,
  queue: string,
  by: string,
  { at, max }: { readonly at: number; readonly max: number },
): number =>
  database.write(() => {
    const items = database.all<ItemKey>(firstItemsSql, queue, max);
    for (const { run_key: runKey } of items) abortQueuedRun(database, runKey, by, at);
    return items.length;
  });

/**
 * Implements `QueueStore.moveItem`. The items keep the same set of keys, reassigned in the new order: the key decides
 * among items of one priority.
 */
export function moveItem(database: Database, { queue, run, position }: QueuePosition): void {
  database.write(() => {
    const movedItem = database.get<ItemKey>(runItemSql, run.name, run.dagRunId, queue);
    if (movedItem === undefined)
      throw new AppError('not_queued', `Run ${run.dagRunId} of ${run.name} is not in queue ${queue}.`);
    const remaining = database
      .all<ItemKey>(firstItemsSql, queue, maxMoved + 1)
      .filter(({ key }) => key !== movedItem.key);
    const index = Math.min(position - 1, remaining.length);
    const neighbour = remaining[index] ?? remaining[index - 1];
    if (neighbour === undefined) return;
    const { priority } = neighbour;
    const before = remaining.slice(0, index).filter((item) => item.priority === priority);
    const after = remaining.slice(index).filter((item) => item.priority === priority);
    reorder(database, [...before, movedItem, ...after], priority);
  });
}

function reorder(database: Database, items: readonly ItemKey[], priority: number): void {
  const keys = items.map(({ key }) => key).toSorted((a, b) => a - b);
  // Uses temporary negative keys, because keys must be unique at every moment.
  for (const { key } of items) database.run('UPDATE queue_item SET key = ? WHERE key = ?', -key, key);
  for (const [index, { key }] of items.entries())
    database.run('UPDATE queue_item SET key = ?, priority = ? WHERE key = ?', keys[index]!, priority, -key);
}
