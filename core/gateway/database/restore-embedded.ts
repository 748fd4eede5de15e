import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toIso, type Clock } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import { EmbeddedEngine } from './embedded-engine.ts';

const stagedMark = 'pgdata.restoring-';
const previousFolderPrefix = 'pgdata.before-restore-';

/** Source and target of a restore. */
export interface EmbeddedRestore {
  /** Directory of the embedded database, as for `EmbeddedDatabase`. */
  readonly folder: string;
  /** Unpacks the data directory of the backup. */
  readonly unpack: (folder: string) => Promise<void>;
  /** Whether to replace an existing database, which is moved aside. */
  readonly force: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Replaces the embedded database with a data directory after PostgreSQL has opened it. Throws `still_running` if
 * another process has the database open, `already_exists` if a database exists and `force` is not set, `bad_request`
 * if the backup cannot be opened; nothing has changed in these cases.
 * @returns the new path of the previous database
 */
export async function restoreEmbedded(options: EmbeddedRestore): Promise<string | undefined> {
  const { folder, unpack, force } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const giveLockBack = takeFileLock(join(folder, 'lock'));
  if (giveLockBack === undefined) {
    const message = `The embedded database in ${folder} is in use. Close the app and all servers of the home first.`;
    throw new AppError('still_running', message);
  }
  const staged = join(folder, `${stagedMark}${process.pid}`);
  try {
    rollbackDatabaseRestore(folder);
    if (!force && existsSync(join(folder, 'pgdata'))) {
      const hint = 'Use --force to replace the database. The old database is kept.';
      const message = `A database already exists in ${folder}.`;
      throw new AppError('already_exists', message, { details: { hint } });
    }
    await rm(staged, { recursive: true, force: true });
    await unpack(staged);
    await verifyOpens(staged, options);
    const previous = swapDatabase(staged, options);
    await fsyncDir(folder);
    return previous;
  } finally {
    await rm(staged, { recursive: true, force: true });
    giveLockBack();
  }
}

async function verifyOpens(folder: string, { clock, logger }: EmbeddedRestore): Promise<void> {
  const engine = new EmbeddedEngine({ folder, statementTimeoutMs: 0, poolTimeoutMs: 0 }, clock, logger);
  const statements = [{ text: 'SELECT count(*) FROM pg_class', values: [] }];
  try {
    await engine.transact({ isReadOnly: true, statements });
  } catch (error) {
    const message = `Cannot open the database in the backup: ${getErrorMessage(error)} Nothing was changed.`;
    throw new AppError('bad_request', message, { cause: error });
  } finally {
    await engine.close();
  }
}

function swapDatabase(staged: string, { folder, clock }: EmbeddedRestore): string | undefined {
  const dataDir = join(folder, 'pgdata');
  if (!existsSync(dataDir)) {
    renameSync(staged, dataDir);
    return undefined;
  }
  const previous = join(folder, previousFolderPrefix + toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, ''));
  renameSync(dataDir, previous);
  try {
    renameSync(staged, dataDir);
  } catch (error) {
    renameSync(previous, dataDir);
    throw error;
  }
  return previous;
}

/**
 * Removes the remains of interrupted restores. If a restore was interrupted after moving the database aside, moves it
 * back. Call it with the lock, before the database is opened.
 */
export function rollbackDatabaseRestore(folder: string): void {
  const names = readdirSync(folder);
  const staged = names.filter((name) => name.startsWith(stagedMark));
  const previous = names
    .filter((name) => name.startsWith(previousFolderPrefix))
    .toSorted()
    .at(-1);
  // If nothing was unpacked, the user has removed the database after a restore.
  const isMissing = staged.length > 0 && !names.includes('pgdata');
  if (isMissing && previous !== undefined) renameSync(join(folder, previous), join(folder, 'pgdata'));
  for (const name of staged) rmSync(join(folder, name), { recursive: true, force: true });
}
