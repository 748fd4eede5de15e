import type { RunRecord, RunRef } from '../../model/run/run.ts';
import type { Database } from '../database/database.ts';
import { type RunRow, selectRunWithOutputs, toRunRecord } from './rows.ts';

export const findKeySql = 'SELECT key FROM run WHERE dag = ? AND run_id = ?';
export const readRunSql = `${selectRunWithOutputs} WHERE key = ?`;

/** Returns the key of an existing run. */
export const findRunKey = (database: Database, run: RunRef): number | undefined =>
  database.get<{ key: number }>(findKeySql, run.name, run.dagRunId)?.key;

/** Returns a run by its key, outputs included. */
export function readRun(database: Database, key: number): RunRecord | undefined {
  const row = database.get<RunRow>(readRunSql, key);
  return row === undefined ? undefined : toRunRecord(row);
}

export function findRun(database: Database, run: RunRef): RunRecord | undefined {
  const key = findRunKey(database, run);
  return key === undefined ? undefined : readRun(database, key);
}
