import { AppError } from '../../../base/errors.ts';
import { exactRunNotFoundError } from '../../../base/missing-run.ts';
import type { RunRecord, RunRef } from '../../../model/run/run.ts';
import { isFinal, type RunStatus } from '../../../model/run/status.ts';
import type { PurgedRun } from '../../../run/ports.ts';
import type { Database } from '../../database/database.ts';
import { findRun } from '../find-run.ts';
import { deleteRunSql, removeUnusedTexts, treeSql, type TreeRow } from './purge-runs.ts';

export const treeStatusesSql = 'SELECT status FROM run WHERE root_key = ?';

export function deleteRun(database: Database, ref: RunRef): PurgedRun[] {
  return database.write(() => {
    const run = findRun(database, ref);
    if (run === undefined) throw exactRunNotFoundError(ref);
    assertEnded(database, run);
    const tree = database.all<TreeRow>(treeSql, run.key, run.key);
    database.run(deleteRunSql, run.key);
    removeUnusedTexts(database, tree);
    return tree.map((row) => ({ name: row.dag, dagRunId: row.run_id, logDir: row.log_dir }));
  });
}

function assertEnded(database: Database, { key, name, dagRunId, status, root }: RunRecord): void {
  if (root !== undefined) {
    throw new AppError(
      'bad_request',
      `Run ${dagRunId} of ${name} is a sub-run of ${root.dagRunId} of ${root.name}. Delete that run instead.`,
    );
  }
  const descendants = database.all<{ status: RunStatus }>(treeStatusesSql, key);
  if (isFinal(status) && descendants.every((row) => isFinal(row.status))) return;
  throw new AppError(
    'still_running',
    `Run ${dagRunId} of ${name} or one of its sub-runs is still active. Stop it before deleting it.`,
  );
}
