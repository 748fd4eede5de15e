import { maxCounted, maxListed, type QueueState, type Wait } from '../../model/queue.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { QueueLimitLookup } from '../../queue/ports.ts';
import type { Database } from '../database/database.ts';

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
  SELECT run.dag, run.run_id FROM ${ready} CROSS JOIN run ON run.key = queue_item.run_key
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

/** Returns why an item waits now. */
export function explainItem(database: Database, item: ItemRow, limitOf: QueueLimitLookup): Wait {
  const { queue, priority } = item;
  const running = countActive(database, queue);
  const counted = database.get<{ ahead: number }>(countAheadSql, queue, priority, queue, priority, item.key)!;
  const ahead = Math.min(counted.ahead, maxCounted);
  const state = database.get<{ state: QueueState; changed_by: string }>(
    'SELECT state, changed_by FROM queue WHERE name = ?',
    queue,
  );
  const known = limitOf(queue) ?? workflowLimit(item.max_active_runs);
  const waitInfo = { queue, priority, enqueuedAt: item.enqueued_at, running, limit: known, ahead };
  if (item.claimed_at !== null) return { ...waitInfo, kind: 'starting', behind: [] };
  if (state?.state === 'paused') return { ...waitInfo, kind: 'paused', behind: [], by: state.changed_by };
  if (known !== undefined && running >= known && ahead === 0)
    return { ...waitInfo, kind: 'full', behind: listActive(database, queue) };
  if (ahead > 0) return { ...waitInfo, kind: 'behind', behind: list(database, headsSql, queue, 1) };
  return { ...waitInfo, kind: 'next', behind: [] };
}

/** Lists the first few runs that occupy a queue. */
export function listActive(database: Database, queue: string): RunRef[] {
  const active = list(database, activeInQueueSql, queue, maxListed);
  if (active.length === maxListed) return active;
  return [...active, ...list(database, claimedInQueueSql, queue, maxListed - active.length)];
}

const list = (database: Database, sql: string, queue: string, max: number): RunRef[] =>
  database.all<RefRow>(sql, queue, max).map(({ dag, run_id: dagRunId }) => ({ name: dag, dagRunId }));
