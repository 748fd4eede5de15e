import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../config/home.ts';
import { putBackHome } from '../../config/interrupted-restore.ts';
import { isDatabaseInUse } from '../../store/maintenance/in-use.ts';
import { salvageDatabase, type SalvageReport } from '../../store/salvage/salvage-database.ts';
import { toFileError } from '../file-error.ts';
import { syncFolder } from '../../files/sync-folder.ts';

/** What was saved, and where the damaged files are. */
export interface HomeSalvage extends SalvageReport {
  /** Absolute path of a folder. */
  readonly kept: string;
}

/**
 * Puts a new database in the place of a damaged one, with everything that can be read of it. The damaged files are
 * kept in a folder of their own beside it. Throws `not_found`, `still_running`, `database_corrupt` when nothing can
 * be read, `storage_full`; nothing is changed then.
 */
export async function salvageHome(
  { home, database }: HomePaths,
  clock: Pick<Clock, 'now'>,
): Promise<HomeSalvage> {
  putBackHome(home);
  if (!existsSync(database)) throw new AppError('not_found', `The home ${home} has no database.`);
  const at = clock.now();
  const kept = path.join(path.dirname(database), `damaged_${toIso(at).replaceAll(/[-:]|\.\d+/g, '')}`);
  keepDamaged(database, kept);
  try {
    if (isDatabaseInUse(database)) {
      throw new AppError(
        'still_running',
        `The home ${home} is in use. Close the app and all servers of the home first.`,
      );
    }
    const saved = `${database}.saved`;
    const report = salvageDatabase(path.join(kept, path.basename(database)), saved, at);
    // A log that is left beside the new file would be taken for its own.
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
    renameSync(saved, database);
    await syncFolder(path.dirname(database));
    return { ...report, kept };
  } catch (thrown) {
    rmSync(kept, { recursive: true, force: true });
    throw toFileError(thrown, `Cannot salvage the database ${database}`);
  }
}

/** First of all, since whatever opens a database brings its log into it. */
function keepDamaged(database: string, kept: string): void {
  if (existsSync(kept))
    throw new AppError('already_exists', `${kept} already exists. Try again in a moment.`);
  mkdirSync(kept, { mode: 0o700 });
  for (const suffix of ['', '-wal']) {
    const copy = path.join(kept, path.basename(database) + suffix);
    if (existsSync(database + suffix)) copyFileSync(database + suffix, copy, constants.COPYFILE_FICLONE);
  }
}
