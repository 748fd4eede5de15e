import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { homePaths } from '../../config/home.ts';
import {
  carriedOver,
  giveBack,
  keptHome,
  listLeftStages,
  putBackHome,
  stagedHome,
} from '../../config/interrupted-restore.ts';
import { detachCopy } from '../../store/maintenance/detach-copy.ts';
import { isDatabaseInUse } from '../../store/maintenance/in-use.ts';
import { toFileError } from '../file-error.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import type { BackupManifest } from './manifest.ts';
import { readBackup } from './read-backup.ts';
import { unpackGatewayDatabase } from './unpack-database.ts';

/** Source and target of a restore. */
export interface RestoreWish {
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
export async function restoreBackup(wish: RestoreWish): Promise<RestoreReport> {
  const { backup, home, clock } = wish;
  if (!existsSync(backup)) throw new AppError('not_found', `Backup ${backup} not found.`);
  putBackHome(home);
  const isFilled = (await readdir(home).catch(() => [])).length > 0;
  refuseHome(wish, isFilled);
  const staged = stagedHome(home);
  try {
    for (const left of [staged, ...listLeftStages(home)]) await rm(left, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    const manifest = await readBackup(backup, staged);
    await unpackGatewayDatabase(staged);
    const runsEnded = prepareDatabase(staged, manifest, clock.now());
    // Another process may have opened it in the meantime.
    refuseHome(wish, isFilled);
    failPoint('restore.unpacked');
    const swapped = isFilled ? await swap(wish, staged, manifest) : await moveIn(wish, staged);
    await syncFolder(path.dirname(home));
    failPoint('restore.done');
    return { manifest, runsEnded, ...swapped };
  } catch (thrown) {
    throw toFileError(thrown, 'Cannot restore the backup');
  } finally {
    await rm(staged, { recursive: true, force: true }).catch(() => {});
  }
}

function refuseHome({ home, force }: RestoreWish, isFilled: boolean): void {
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

async function moveIn({ home }: RestoreWish, staged: string): Promise<Swap> {
  await rmdir(home).catch(() => {});
  await mkdir(path.dirname(home), { recursive: true });
  await rename(staged, home);
  return { taken: [] };
}

/** Swaps the homes. The restore is complete once the new home is in place; until then `putBackHome` can undo it. */
async function swap({ home, clock }: RestoreWish, staged: string, manifest: BackupManifest): Promise<Swap> {
  const kept = keptHome(home, toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, ''));
  await rename(home, kept);
  failPoint('restore.home_moved');
  try {
    const taken = await carryOver(kept, staged, manifest);
    failPoint('restore.carried_over');
    await rename(staged, home);
    return { keptHome: kept, taken };
  } catch (thrown) {
    giveBack(staged, kept);
    await rename(kept, home);
    throw thrown;
  }
}

async function carryOver(kept: string, staged: string, manifest: BackupManifest): Promise<string[]> {
  const taken: string[] = [];
  for (const name of carriedOver) {
    if ((name === 'logs' && manifest.logs) || !existsSync(path.join(kept, name))) continue;
    await rename(path.join(kept, name), path.join(staged, name));
    taken.push(name);
  }
  return taken;
}
