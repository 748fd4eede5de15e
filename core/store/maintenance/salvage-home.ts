import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../home/config/home.ts';
import { rollbackRestore } from '../../home/config/interrupted-restore.ts';
import { isDatabaseInUse } from '../storage.ts';
import { salvageDatabase, type SalvageReport } from '../salvage-database.ts';
import { toFileError } from './open-home.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';

/** Result of a salvage, with the location of the damaged files. */
export interface HomeSalvage extends SalvageReport {
  /** Absolute path of a directory. */
  readonly kept: string;
}

/**
 * Replaces a corrupt database by a new one with all readable data. The damaged files are moved to a separate
 * directory. Throws `not_found`, `still_running`, `database_corrupt` if nothing is readable, `storage_full`; nothing
 * has changed in these cases.
 */
export async function salvageHome(
  { home, database }: HomePaths,
  clock: Pick<Clock, 'now'>,
): Promise<HomeSalvage> {
  rollbackRestore(home);
  if (!existsSync(database)) throw new AppError('not_found', `The home ${home} has no database.`);
  const at = clock.now();
  const damagedDir = path.join(path.dirname(database), `damaged_${toIso(at).replaceAll(/[-:]|\.\d+/g, '')}`);
  copyDamaged(database, damagedDir);
  try {
    if (isDatabaseInUse(database)) {
      throw new AppError(
        'still_running',
        `The home ${home} is in use. Close the app and all servers of the home first.`,
      );
    }
    const salvagedFile = `${database}.saved`;
    const report = salvageDatabase(path.join(damagedDir, path.basename(database)), salvagedFile, at);
    // A leftover log would be applied to the new file.
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
    renameSync(salvagedFile, database);
    await fsyncDir(path.dirname(database));
    return { ...report, kept: damagedDir };
  } catch (error) {
    rmSync(damagedDir, { recursive: true, force: true });
    throw toFileError(error, `Cannot salvage the database ${database}`);
  }
}

/** Copies the damaged files. Done first, because opening a database applies its log. */
function copyDamaged(database: string, damagedDir: string): void {
  if (existsSync(damagedDir))
    throw new AppError('already_exists', `${damagedDir} already exists. Try again in a moment.`);
  mkdirSync(damagedDir, { mode: 0o700 });
  for (const suffix of ['', '-wal']) {
    const copy = path.join(damagedDir, path.basename(database) + suffix);
    if (existsSync(database + suffix)) copyFileSync(database + suffix, copy, constants.COPYFILE_FICLONE);
  }
}
