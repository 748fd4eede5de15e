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

/** What to restore, and where to. */
export interface RestoreWish {
  /** Absolute. */
  readonly backup: string;
  /** Absolute; made when it does not exist. */
  readonly home: string;
  /** Also when the home holds something, which is kept beside it. */
  readonly force: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** What has been restored. */
export interface RestoreReport {
  readonly manifest: BackupManifest;
  /** Runs that were under way when the backup was made, and are aborted now. */
  readonly runsEnded: number;
  /** Where the home is that was there before. */
  readonly keptHome?: string;
  /** Folders of it that have moved into the restored one, since the backup has none. */
  readonly taken: readonly string[];
}

/**
 * Puts the home of a backup in place, after everything in it has been compared with its checksum. Rejects with
 * `still_running` while the home is in use, `already_exists` when it holds something and `force` is not set,
 * `bad_request` for a backup that is damaged, `database_newer`; nothing is changed then.
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
    // Somebody may have opened it meanwhile.
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

/** What was under way must not begin again in the copy. */
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

/** The home is complete as soon as it is in its place; until then `putBackHome` undoes everything. */
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
