import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { homePaths } from '../../config/home.ts';
import { detachCopy } from '../../store/maintenance/detach-copy.ts';
import { isDatabaseInUse } from '../../store/maintenance/in-use.ts';
import { toFileError } from '../file-error.ts';
import { syncFolder } from '../sync-folder.ts';
import type { BackupManifest } from './manifest.ts';
import { readBackup } from './read-backup.ts';

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

/** What a backup may be without, and the restored home goes on with. */
const carriedOver = ['logs', 'desktop'];

/**
 * Puts the home of a backup in place, after everything in it has been compared with its checksum. Rejects with
 * `still_running` while the home is in use, `already_exists` when it holds something and `force` is not set,
 * `bad_request` for a backup that is damaged, `database_newer`; nothing is changed then.
 */
export async function restoreBackup(wish: RestoreWish): Promise<RestoreReport> {
  const { backup, home, clock } = wish;
  if (!existsSync(backup)) throw new AppError('not_found', `There is no backup ${backup}.`);
  const isFilled = (await readdir(home).catch(() => [])).length > 0;
  refuseHome(wish, isFilled);
  const staged = `${home}.restoring-${process.pid}`;
  try {
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    const manifest = await readBackup(backup, staged);
    const runsEnded = prepareDatabase(staged, manifest, clock.now());
    // Somebody may have opened it meanwhile.
    refuseHome(wish, isFilled);
    const keptHome = await swap(wish, staged, isFilled);
    const taken = keptHome === undefined ? [] : await carryOver(keptHome, home, manifest);
    await syncFolder(path.dirname(home));
    return { manifest, runsEnded, ...(keptHome === undefined ? {} : { keptHome }), taken };
  } catch (thrown) {
    throw toFileError(thrown, 'The backup cannot be restored');
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

function refuseHome({ home, force }: RestoreWish, isFilled: boolean): void {
  if (isDatabaseInUse(homePaths(home).database)) {
    throw new AppError(
      'still_running',
      `The home ${home} is in use. Close the app and all servers of it first.`,
      {
        details: { hint: 'engine restore BACKUP --engine-home DIR restores into another home' },
      },
    );
  }
  if (isFilled && !force) {
    throw new AppError(
      'already_exists',
      `The home ${home} is not empty, and a restored one would take its place.`,
      {
        details: { hint: '--force puts the backup in its place and keeps the old home beside it' },
      },
    );
  }
}

/** What was under way must not begin again in the copy. */
function prepareDatabase(staged: string, { createdAt }: BackupManifest, at: number): number {
  const { database } = homePaths(staged);
  if (!existsSync(database)) return 0;
  return detachCopy(
    database,
    at,
    `It was under way when the backup of ${createdAt} was made, which was restored.`,
  );
}

async function swap(
  { home, clock }: RestoreWish,
  staged: string,
  isFilled: boolean,
): Promise<string | undefined> {
  if (!isFilled) {
    await rmdir(home).catch(() => {});
    await mkdir(path.dirname(home), { recursive: true });
    await rename(staged, home);
    return undefined;
  }
  const time = toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, '');
  const keptHome = `${home}.before-restore-${time}`;
  if (existsSync(keptHome)) throw new AppError('already_exists', `${keptHome} exists already. Move it away.`);
  await rename(home, keptHome);
  try {
    await rename(staged, home);
  } catch (thrown) {
    await rename(keptHome, home);
    throw thrown;
  }
  return keptHome;
}

async function carryOver(keptHome: string, home: string, manifest: BackupManifest): Promise<string[]> {
  const taken: string[] = [];
  for (const name of carriedOver) {
    if ((name === 'logs' && manifest.logs) || !existsSync(path.join(keptHome, name))) continue;
    await rename(path.join(keptHome, name), path.join(home, name));
    taken.push(name);
  }
  return taken;
}
