import { AppError } from '../../base/errors.ts';
import { maxMoved } from '../../model/queue.ts';
import type { QueuePosition } from '../../queue/ports.ts';
import type { Database } from '../database/database.ts';
import { takeOut } from './dequeue.ts';

export const firstItemsSql = /* sql */ `
  SELECT key, run_key, priority FROM queue_item WHERE claimed_at IS NULL AND queue = ?
  ORDER BY priority DESC, key LIMIT ?`;
export const itemOfRunSql = /* sql */ `
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
    for (const { run_key: runKey } of items) takeOut(database, runKey, by, at);
    return items.length;
  });

/**
 * Implements `QueueStore.moveItem`. The items keep the same set of keys, reassigned in the new order: the key decides
 * among items of one priority.
 */
export function moveItem(database: Database, { queue, run, position }: QueuePosition): void {
  database.write(() => {
    const movedItem = database.get<ItemKey>(itemOfRunSql, run.name, run.dagRunId, queue);
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
  const keys = items.map(({ key }) => key).toSorted((left, right) => left - right);
  // Uses temporary negative keys, because keys must be unique at every moment.
  for (const { key } of items) database.run('UPDATE queue_item SET key = ? WHERE key = ?', -key, key);
  for (const [index, { key }] of items.entries())
    database.run('UPDATE queue_item SET key = ?, priority = ? WHERE key = ?', keys[index]!, priority, -key);
}
