import type { NewTask, TaskRecord } from '../../store/types/dispatch.ts';
import { writeLabels, endedStates, taskColumns, toTask } from './rows.ts';
import { readTaskRow, type SqliteContext, type StoredTask } from './sqlite-changes.ts';

const insertSql = /* sql */ `
  INSERT INTO task (key, run_key, dag, run_id, step, selector, priority, state, offered_at, place, payload)
  SELECT ?, ?, ?, ?, ?, ?, ?, 'ready', ?, ?, ?
  WHERE ? IS NULL OR EXISTS (SELECT 1 FROM run WHERE run.key = ? AND run.epoch = ?)
  ON CONFLICT (key) DO NOTHING`;

/** Implements `DispatchStore.offer`. */
export function offer({ notifier, database }: SqliteContext, tasks: readonly NewTask[]): void {
  notifier.write((at, notify) => {
    for (const task of tasks) {
      const epoch = task.runEpoch ?? null;
      const { changes } = database.run(
        insertSql,
        task.key,
        task.runKey,
        task.run.name,
        task.run.dagRunId,
        task.step,
        JSON.stringify(writeLabels(task.selector)),
        task.priority,
        at,
        task.attemptDir,
        task.payload,
        epoch,
        task.runKey,
        epoch,
      );
      if (changes > 0) notify('offered');
    }
  });
}

/** `key` is the primary key; a list of any length is one JSON parameter. */
const selectSql = /* sql */ `
  SELECT ${taskColumns} FROM task WHERE key IN (SELECT value FROM json_each(?))`;
const selectChangedSql = /* sql */ `${selectSql} AND (begun_at IS NOT NULL OR state IN ${endedStates})`;

/** Implements `DispatchStore.find`. */
export const find = ({ database }: SqliteContext, keys: readonly string[]): TaskRecord[] =>
  database.all<StoredTask>(selectSql, JSON.stringify(keys)).map((row) => toTask(readTaskRow(row)));

/** Implements `DispatchStore.findChanged`. */
export const findChanged = ({ database }: SqliteContext, keys: readonly string[]): TaskRecord[] =>
  database.all<StoredTask>(selectChangedSql, JSON.stringify(keys)).map((row) => toTask(readTaskRow(row)));

const withdrawSql = /* sql */ `
  UPDATE task SET state = 'cancelled', fence = fence + 1, ended_at = ?, cancel = ?
  WHERE key = ? AND state IN ('ready', 'claimed')`;
const killSql = /* sql */ `
  UPDATE task SET cancel = 'kill' WHERE key = ? AND state = 'running' AND cancel IS NOT 'kill'`;
const stopSql = /* sql */ `UPDATE task SET cancel = 'stop' WHERE key = ? AND state = 'running' AND cancel IS NULL`;

/** Implements `DispatchStore.cancel`. */
export function cancel(
  { notifier, database }: SqliteContext,
  keys: readonly string[],
  how: 'stop' | 'kill',
): void {
  notifier.write((at, notify) => {
    for (const key of keys) {
      if (database.run(withdrawSql, at, how, key).changes > 0) notify('changed');
      if (database.run(how === 'kill' ? killSql : stopSql, key).changes > 0) notify('cancelled');
    }
  });
}

const abandonSql = /* sql */ `
  UPDATE task SET state = 'lost', fence = fence + 1, ended_at = ?, reason = ? WHERE key = ? AND state = 'running'`;

/** Implements `DispatchStore.abandon`. */
export function abandon(
  { notifier, database }: SqliteContext,
  keys: readonly string[],
  reason: string,
): void {
  notifier.write((at, notify) => {
    for (const key of keys) if (database.run(abandonSql, at, reason, key).changes > 0) notify('changed');
  });
}

/** Implements `DispatchStore.forget`. */
export function forget({ database }: SqliteContext, keys: readonly string[]): void {
  database.write(() => {
    for (const key of keys) database.run(`DELETE FROM task WHERE key = ? AND state IN ${endedStates}`, key);
  });
}
