import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { homePaths } from '../../home/config/home.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { RunStatus, RunRef } from '../../model/run.ts';
import type { PurgeableRun, PurgedRun, PurgeLimits, RunStore } from '../types/runs.ts';
import {
  findLogFolder,
  removeLogFolder,
  removeRunLogs,
  type RemoveRemoteData,
  logFolderName,
} from '../run-logs.ts';
import type { MaintenanceStore } from '../types/maintenance.ts';

/** Runs of a workflow to delete: those that match all specified conditions. Active runs are never deleted. */
export interface CleanupOptions {
  readonly name: string;
  /** Only runs that ended more than this many days ago. */
  readonly retentionDays?: number;
  /** Number of newest runs to retain. */
  readonly keep?: number;
  readonly statuses?: readonly RunStatus[];
}

/** Runs and logs that a cleanup would delete. */
export interface CleanupPlan {
  /** Oldest first; sub-runs are deleted with them. */
  readonly runs: readonly PurgeableRun[];
  /** Absolute paths of log directories without a run. */
  readonly orphans: readonly string[];
}

/** Result of a cleanup. */
export interface CleanupReport {
  /** Including sub-runs. */
  readonly runs: number;
  readonly logFolders: number;
  /** Directories that could not be deleted, with the reason. */
  readonly failures: readonly { readonly folder: string; readonly reason: string }[];
}

interface CleanupTarget {
  readonly store: Pick<RunStore, 'purgeRuns' | 'listPurgeable' | 'findRun'> & {
    readonly maintenance: MaintenanceStore;
  };
  /** Absolute. */
  readonly home: string;
  /** Absolute path of the log directory. Default: in the home. */
  readonly logs?: string;
  readonly removeRemoteData?: RemoveRemoteData | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Plans {@link cleanUp} without changing anything. */
export async function planCleanup(options: CleanupOptions, target: CleanupTarget): Promise<CleanupPlan> {
  const { store, home, logs = homePaths(home).logs } = target;
  return {
    runs: await store.listPurgeable(options.name, getLimits(options, target)),
    orphans: await findOrphanLogs(
      logs,
      options.name,
      async (run) => (await store.findRun(run)) !== undefined,
    ),
  };
}

/**
 * Deletes runs with their sub-runs and logs, a hundred per transaction, and returns their disk space. After an
 * interruption, each run is either complete or deleted from the history.
 * @param orphans directories of a plan to delete as well
 * @param onProgress called after each batch with the number of deleted runs
 */
export async function cleanUp(
  options: CleanupOptions,
  target: CleanupTarget,
  { orphans = [], onProgress }: { orphans?: readonly string[]; onProgress?: (runs: number) => void } = {},
): Promise<CleanupReport> {
  const { store, home, removeRemoteData } = target;
  const limits = getLimits(options, target);
  const removal = new Removal();
  let runs = 0;
  for (;;) {
    const purged = await store.purgeRuns(options.name, limits);
    if (purged.length === 0) break;
    failPoint('cleanup.purged');
    await Promise.all(purged.map((run) => removal.removeRunLogs(home, run, removeRemoteData)));
    runs += purged.length;
    onProgress?.(runs);
  }
  failPoint('cleanup.logs_removed');
  for (const folder of orphans) await removal.remove(folder, () => removeLogFolder(folder));
  while (await store.maintenance.shrink());
  await store.maintenance.emptyLog();
  return { runs, logFolders: removal.removed, failures: removal.failures };
}

class Removal {
  removed = 0;
  readonly failures: { folder: string; reason: string }[] = [];

  async removeRunLogs(
    home: string,
    run: PurgedRun,
    removeRemoteData: RemoveRemoteData | undefined,
  ): Promise<void> {
    const folder = findLogFolder(home, run);
    if (folder === undefined || (removeRemoteData === undefined && !existsSync(folder))) return;
    await this.remove(folder, () => removeRunLogs(home, run, removeRemoteData));
  }

  async remove(folder: string, remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
      this.removed += 1;
    } catch (error) {
      this.failures.push({ folder, reason: error instanceof Error ? error.message : String(error) });
    }
  }
}

function getLimits({ retentionDays, keep, statuses }: CleanupOptions, { clock }: CleanupTarget): PurgeLimits {
  return {
    ...(retentionDays === undefined ? {} : { before: clock.now() - retentionDays * dayMs }),
    ...(keep === undefined ? {} : { keep }),
    ...(statuses === undefined || statuses.length === 0 ? {} : { statuses }),
  };
}

/**
 * Finds log directories of a workflow without a run, which a crash between deleting a run and its logs leaves behind.
 * Absolute paths. Directories without a valid run name are ignored.
 * @param logs absolute path of the log directory
 */
async function findOrphanLogs(
  logs: string,
  name: string,
  isKnown: (run: RunRef) => Promise<boolean>,
): Promise<string[]> {
  const folder = path.join(logs, name);
  // List the directories first, because a run is in the history before its directory exists.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const orphans: string[] = [];
  for (const entry of entries) {
    const dagRunId = entry.isDirectory() ? logFolderName.exec(entry.name)?.[1] : undefined;
    if (dagRunId === undefined || (await isKnown({ name, dagRunId }))) continue;
    orphans.push(path.join(folder, entry.name));
  }
  return orphans;
}
