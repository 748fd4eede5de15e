import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { homePaths } from '../../config/home.ts';
import {
  restoreManifest,
  moveBack,
  keptHome,
  listLeftStages,
  rollbackRestore,
  stagingDir,
} from '../../config/interrupted-restore.ts';
import { detachCopy } from '../../store/maintenance/detach-copy.ts';
import { isDatabaseInUse } from '../../store/maintenance/in-use.ts';
import { toFileError } from '../file-error.ts';
import { fsyncDir } from '../../files/fsync-dir.ts';
import type { BackupManifest } from './manifest.ts';
import { readBackup } from './read-backup.ts';
import { unpackGatewayDatabase } from './unpack-database.ts';

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
  const staged = stagingDir(home);
  try {
    for (const left of [staged, ...listLeftStages(home)]) await rm(left, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    const manifest = await readBackup(backup, staged);
    await unpackGatewayDatabase(staged);
    const runsEnded = prepareDatabase(staged, manifest, clock.now());
    // Another process may have opened it in the meantime.
    assertHomeUnused(options, isFilled);
    failPoint('restore.unpacked');
    const swapped = isFilled ? await swap(options, staged, manifest) : await moveIn(options, staged);
    await fsyncDir(path.dirname(home));
    failPoint('restore.done');
    return { manifest, runsEnded, ...swapped };
  } catch (error) {
    throw toFileError(error, 'Cannot restore the backup');
  } finally {
    await rm(staged, { recursive: true, force: true }).catch(() => {});
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
function prepareDatabase(staged: string, { createdAt }: BackupManifest, at: number): number {
  const { database } = homePaths(staged);
  if (!existsSync(database)) return 0;
  return detachCopy(database, at, `The run was active when the restored backup of ${createdAt} was made.`);
}

type Swap = Pick<RestoreReport, 'keptHome' | 'taken'>;

async function moveIn({ home }: RestoreOptions, staged: string): Promise<Swap> {
  await rmdir(home).catch(() => {});
  await mkdir(path.dirname(home), { recursive: true });
  await rename(staged, home);
  return { taken: [] };
}

/** Swaps the homes. The restore is complete once the new home is in place; until then `rollbackRestore` can undo it. */
async function swap(
  { home, clock }: RestoreOptions,
  staged: string,
  manifest: BackupManifest,
): Promise<Swap> {
  const kept = keptHome(home, toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, ''));
  await rename(home, kept);
  failPoint('restore.home_moved');
  try {
    const taken = await carryOver(kept, staged, manifest);
    failPoint('restore.carried_over');
    await rename(staged, home);
    return { keptHome: kept, taken };
  } catch (error) {
    moveBack(staged, kept);
    await rename(kept, home);
    throw error;
  }
}

async function carryOver(kept: string, staged: string, manifest: BackupManifest): Promise<string[]> {
  const taken: string[] = [];
  for (const name of restoreManifest) {
    if ((name === 'logs' && manifest.logs) || !existsSync(path.join(kept, name))) continue;
    await rename(path.join(kept, name), path.join(staged, name));
    taken.push(name);
  }
  return taken;
}
