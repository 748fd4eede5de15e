import { existsSync } from 'node:fs';
import type { HomePaths } from '../../home/config/home.ts';
import { rollbackRestore } from '../../home/config/interrupted-restore.ts';
import { prepareHome } from '../../home/config/prepare-home.ts';
import { AppError, type FsErrorText, explainFsError } from '../../base/errors.ts';
import { openImportStore } from '../import-runs.ts';
import type { ImportStore } from '../types/maintenance.ts';
import { openStore, type Store } from '../open-store.ts';
import { checkDatabase } from '../check-database.ts';
import { getHomeLocation } from './copy-database.ts';

/**
 * Opens the history of a home without an engine. The caller closes it. Throws `home_unusable`, `still_running` during
 * a restore, `database_corrupt`, `database_newer` or `storage_full`.
 */
export function openHome(paths: HomePaths): Store {
  rollbackRestore(paths.home);
  prepareHome(paths);
  return openStore(getHomeLocation(paths));
}

/** Opens the history of a home for importing runs of another engine. */
export function openImports(paths: HomePaths): ImportStore {
  rollbackRestore(paths.home);
  prepareHome(paths);
  return openImportStore(getHomeLocation(paths));
}

/** Result of a check, with a sentence for each error. */
export interface HomeCheck {
  /** Absolute path of the file, or the server URL without the password. */
  readonly database: string;
  readonly findings: readonly string[];
}

/** Checks the whole database of a home, even while in use. Throws `not_found`, `database_newer`, `home_unusable`. */
export async function checkHome(paths: HomePaths): Promise<HomeCheck> {
  const { home, database, databaseUrl } = paths;
  rollbackRestore(home);
  if (databaseUrl !== undefined) return await checkServer(paths);
  if (!existsSync(database)) throw new AppError('not_found', `The home ${home} has no database yet.`);
  return { database, findings: checkDatabase(database) };
}

async function checkServer(paths: HomePaths): Promise<HomeCheck> {
  const store = openHome(paths);
  try {
    return { database: store.name, findings: await store.check() };
  } finally {
    store.close();
  }
}

const diskFull: FsErrorText = { problem: 'no space left on the disk', remedy: 'Free some space.' };

/** Converts a file system error to an application error; returns anything else unchanged. */
export function toFileError(error: unknown, operation: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const { problem, remedy } = isFull ? diskFull : explainFsError(error);
  // The system's own message contains the path.
  const prefix = path === undefined || remedy === undefined ? '' : `${path}: `;
  return new AppError(isFull ? 'storage_full' : 'home_unusable', `${operation}: ${prefix}${problem}.`, {
    cause: error,
    details: { hint: remedy ?? 'Check the path and its permissions.' },
  });
}
