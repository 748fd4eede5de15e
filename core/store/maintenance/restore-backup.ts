import { existsSync, rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { homePaths } from '../../home/config/home.ts';
import {
  restoreManifest,
  restoreFolders,
  previousHomePath,
  listAbandonedStages,
  rollbackRestore,
  stagingDir,
} from '../../home/config/interrupted-restore.ts';
import { checkPages } from '../check-database.ts';
import { migrations } from '../database/migrate.ts';
import { corruptDatabaseError, toSqliteError } from '../database/store-error.ts';
import { endOpenRuns } from '../maintenance-store.ts';
import { openDatabase } from '../open-store.ts';
import { isDatabaseInUse } from '../storage.ts';
import { toFileError } from './open-home.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { readBackup, unpackGatewayDatabase } from './read-backup.ts';

/** Source and target of a restore. */
export interface RestoreOptions {
  /** Absolute. */
  readonly backup: string;
  /** Absolute; created if missing. */
  readonly home: string;
  /** Whether to replace a home that is not empty, which is moved aside. */
  readonly force: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** Result of a restore. */
export interface RestoreReport {
  readonly manifest: BackupManifest;
  /** Number of runs that were active at the time of the backup and are now aborted. */
  readonly runsEnded: number;
  /** New path of the previous home. */
  readonly keptHome?: string;
  /** Directories of the previous home that were moved to the restored one, because the backup does not contain them. */
  readonly taken: readonly string[];
}

/**
 * Restores a home from a backup after verifying all checksums. Rejects with `still_running` while the home is in use,
 * `already_exists` if it is not empty and `force` is not set, `bad_request` for a corrupt backup, `database_newer`;
 * nothing has changed in these cases.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { backup, home, clock } = options;
  if (!existsSync(backup)) throw new AppError('not_found', `Backup ${backup} not found.`);
  rollbackRestore(home);
  const isFilled = (await readdir(home).catch(() => [])).length > 0;
  assertHomeUnused(options, isFilled);
  const stagedHome = stagingDir(home);
  try {
    for (const leftover of [stagedHome, ...listAbandonedStages(home)])
      await rm(leftover, { recursive: true, force: true });
    await mkdir(stagedHome, { recursive: true, mode: 0o700 });
    const manifest = await readBackup(backup, stagedHome);
    await unpackGatewayDatabase(stagedHome);
    const runsEnded = prepareDatabase(stagedHome, manifest, clock.now());
    // Another process may have opened it in the meantime.
    assertHomeUnused(options, isFilled);
    failPoint('restore.unpacked');
    const swapResult = isFilled
      ? await swap(options, stagedHome, manifest)
      : await moveIntoPlace(options, stagedHome);
    await fsyncDir(path.dirname(home));
    failPoint('restore.done');
    return { manifest, runsEnded, ...swapResult };
  } catch (error) {
    throw toFileError(error, 'Cannot restore the backup');
  } finally {
    await rm(stagedHome, { recursive: true, force: true }).catch(() => {});
  }
}

function assertHomeUnused({ home, force }: RestoreOptions, isFilled: boolean): void {
  if (isDatabaseInUse(homePaths(home).database)) {
    throw new AppError(
      'still_running',
      `The home ${home} is in use. Close the app and all servers of the home first.`,
      {
        details: { hint: 'To restore into another home, use "engine restore BACKUP --engine-home DIR".' },
      },
    );
  }
  if (isFilled && !force) {
    throw new AppError('already_exists', `The home ${home} is not empty.`, {
      details: { hint: 'Use --force to replace the home. The old home is kept.' },
    });
  }
}

/** Aborts active runs, which must not start again in the copy. */
function prepareDatabase(stagedHome: string, { createdAt }: BackupManifest, at: number): number {
  const { database } = homePaths(stagedHome);
  if (!existsSync(database)) return 0;
  return detachCopy(database, at, `The run was active when the restored backup of ${createdAt} was made.`);
}

type Swap = Pick<RestoreReport, 'keptHome' | 'taken'>;

async function moveIntoPlace({ home }: RestoreOptions, stagedHome: string): Promise<Swap> {
  await rmdir(home).catch(() => {});
  await mkdir(path.dirname(home), { recursive: true });
  await rename(stagedHome, home);
  return { taken: [] };
}

/** Swaps the homes. The restore is complete once the new home is in place; until then `rollbackRestore` can undo it. */
async function swap(
  { home, clock }: RestoreOptions,
  stagedHome: string,
  manifest: BackupManifest,
): Promise<Swap> {
  const previousHome = previousHomePath(home, toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, ''));
  await rename(home, previousHome);
  failPoint('restore.home_moved');
  try {
    const taken = await carryOver(previousHome, stagedHome, manifest);
    failPoint('restore.carried_over');
    await rename(stagedHome, home);
    return { keptHome: previousHome, taken };
  } catch (error) {
    restoreFolders(stagedHome, previousHome);
    await rename(previousHome, home);
    throw error;
  }
}

async function carryOver(
  previousHome: string,
  stagedHome: string,
  manifest: BackupManifest,
): Promise<string[]> {
  const taken: string[] = [];
  for (const name of restoreManifest) {
    if ((name === 'logs' && manifest.logs) || !existsSync(path.join(previousHome, name))) continue;
    await rename(path.join(previousHome, name), path.join(stagedHome, name));
    taken.push(name);
  }
  return taken;
}

/**
 * Turns a copy of a database into an independent one: checked, migrated to the schema of this release, and with all
 * active runs ended.
 * @param at epoch milliseconds
 * @param reason the error of those runs
 * @returns the number of ended runs
 */
function detachCopy(file: string, at: number, reason: string): number {
  const database = openDatabase(file);
  try {
    const [finding] = checkPages(database, 'integrity_check');
    if (finding !== undefined) throw corruptDatabaseError(file, finding);
    return endOpenRuns(database, at, reason);
  } catch (error) {
    throw toSqliteError(error, file);
  } finally {
    database.close();
    // The backup is the copy to go back to.
    for (const { version } of migrations) rmSync(`${file}.schema-${version}.bak`, { force: true });
  }
}
