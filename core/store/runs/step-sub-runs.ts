import type { NodeId } from '../../model/run/run-event.ts';
import type { RunRecord } from '../../model/run/run.ts';
import type { Database } from '../database/database.ts';
import { type RunRow, selectRun, toRunRecord } from './rows.ts';

/**
 * Sub-runs are linked by name; a deleted one is left out. A sub-run whose host was lost before its name was recorded is
 * found by its parent.
 */
export const stepSubRunsSql = /* sql */ `
  ${selectRun} WHERE key IN (
    SELECT child.key FROM sub_run JOIN run child ON child.dag = sub_run.dag AND child.run_id = sub_run.run_id
    WHERE sub_run.run_key = ? AND sub_run.section = ? AND sub_run.name = ?
    UNION ALL SELECT key FROM run WHERE parent_key = ? AND parent_step = ?)`;

export const listStepSubRuns = (database: Database, runKey: number, node: NodeId): RunRecord[] =>
  database
    .all<RunRow>(stepSubRunsSql, runKey, node.section, node.name, runKey, node.name)
    .map(toRunRecord)
    .sort((left, right) => right.key - left.key);
