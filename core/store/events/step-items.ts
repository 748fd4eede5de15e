import type { AttemptExit, NodeId, RunEvent } from '../../model/run-event.ts';
import type { ItemRecord, ItemStatus, ItemSummary, RunRef } from '../../model/run.ts';
import type { ItemFilter } from '../types/runs.ts';
import { illegalEventError } from './events.ts';
import type { Database } from '../database/database.ts';
import { findRunKey, type ItemRow, toItemRecord } from '../run-rows.ts';

/** Run key, section, name and number of an attempt. */
type AttemptKey = readonly [runKey: number, section: NodeId['section'], name: string, attempt: number];
type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

const whereAttempt = 'run_key = ? AND section = ? AND name = ? AND attempt = ?';

export const listItemsSql = `SELECT * FROM step_item WHERE ${whereAttempt} AND item > ? ORDER BY item LIMIT ?`;
export const closeItemsSql = /* sql */ `
  UPDATE step_item SET status = 'aborted', finished_at = ?, error = ? WHERE ${whereAttempt} AND status = 'running'`;
/** Items of the newest attempt of each step of a run; `reused` counts those that had succeeded before it. */
export const itemSummariesSql = /* sql */ `
  SELECT step.section, step.name, max(item.total) AS total, max(item.reused) AS reused, count(*) AS started,
    count(*) FILTER (WHERE item.status = 'running') AS running,
    count(*) FILTER (WHERE item.status IN ('succeeded', 'partially_succeeded')) AS succeeded,
    count(*) FILTER (WHERE item.status IN ('failed', 'aborted')) AS failed
  FROM step CROSS JOIN step_item item ON item.run_key = step.run_key AND item.section = step.section
    AND item.name = step.name AND item.attempt = step.attempt
  WHERE step.run_key = ? AND step.reset_at IS NULL GROUP BY step.section, step.name`;

/** Adds an item that has started. Throws `BatchRefused` when the attempt has it already. */
export function startItem(
  database: Database,
  key: AttemptKey,
  at: number,
  event: EventOf<'step.item_started'>,
): void {
  const { changes } = database.run(
    /* sql */ `
    INSERT INTO step_item (run_key, section, name, attempt, item, total, reused, value, dir, status, started_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?) ON CONFLICT DO NOTHING`,
    ...key,
    event.item,
    event.total ?? null,
    event.reused ?? null,
    event.value,
    event.dir,
    at,
  );
  if (changes !== 1) throw illegalEventError(`item ${event.item} of attempt ${event.attempt} already exists`);
}

/** Ends an item. Throws `BatchRefused` when it is not running. */
export function finishItem(
  database: Database,
  key: AttemptKey,
  at: number,
  event: EventOf<'step.item_finished'>,
): void {
  const { changes } = database.run(
    /* sql */ `
    UPDATE step_item SET status = ?, finished_at = ?, exit_code = ?, signal = ?, error = ?
    WHERE ${whereAttempt} AND item = ? AND status = 'running'`,
    event.status,
    at,
    event.exitCode ?? null,
    event.signal ?? null,
    event.error ?? null,
    ...key,
    event.item,
  );
  if (changes !== 1) throw illegalEventError(`item ${event.item} of attempt ${event.attempt} is not active`);
}

/** Stores the run of an item. Throws `BatchRefused` when the item is not running. */
export function linkItem(database: Database, key: AttemptKey, item: number, run: RunRef): void {
  const { changes } = database.run(
    `UPDATE step_item SET dag = ?, run_id = ? WHERE ${whereAttempt} AND item = ? AND status = 'running'`,
    run.name,
    run.dagRunId,
    ...key,
    item,
  );
  if (changes !== 1) throw illegalEventError(`item ${item} is not active and cannot start a run`);
}

/** Ends the items that are still open when their attempt ends: after a stop, a timeout or a crash. */
export function closeItems(database: Database, key: AttemptKey, at: number, end: AttemptExit): void {
  database.run(closeItemsSql, at, end.error ?? 'The attempt ended before this item', ...key);
}

/** Ends the items that the crashed host of an ended run has left open. */
export function closeRunItems(database: Database, runKey: number, at: number, error: string): void {
  database.run(
    "UPDATE step_item SET status = 'aborted', finished_at = ?, error = ? WHERE run_key = ? AND status = 'running'",
    at,
    error,
    runKey,
  );
}

export function listItems(database: Database, run: RunRef, filter: ItemFilter): ItemRecord[] {
  const runKey = findRunKey(database, run);
  if (runKey === undefined) return [];
  const { node, attempt, statuses, after = 0, limit } = filter;
  const key: AttemptKey = [runKey, node.section, node.name, attempt];
  // An attempt has at most 1000 items, so a filter by status needs no index.
  const statusSet = statuses === undefined ? undefined : new Set<ItemStatus>(statuses);
  const rows = database.all<ItemRow>(
    listItemsSql,
    ...key,
    after,
    statusSet === undefined ? limit : Number.MAX_SAFE_INTEGER,
  );
  const matching = statusSet === undefined ? rows : rows.filter(({ status }) => statusSet.has(status));
  return matching.slice(0, limit).map(toItemRecord);
}

interface SummaryRow {
  readonly section: NodeId['section'];
  readonly name: string;
  readonly total: number | null;
  readonly reused: number | null;
  readonly started: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Reads the item counts of each step with the next statement, by `section/name`; steps without items are left out. */
export function deferItemSummaries(
  database: Database,
  runKey: number,
): () => ReadonlyMap<string, ItemSummary> {
  const rows = database.defer<SummaryRow>(itemSummariesSql, runKey);
  return () =>
    new Map(
      rows().map(({ section, name, total, reused: earlier, started, succeeded, ...counts }) => {
        const reused = earlier ?? 0;
        const whole = { started: started + reused, succeeded: succeeded + reused };
        return [
          `${section}/${name}`,
          { total: total === null ? undefined : total + reused, ...whole, ...counts },
        ];
      }),
    );
}
