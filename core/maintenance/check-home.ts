import { existsSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../config/home.ts';
import { putBackHome } from '../config/interrupted-restore.ts';
import { openHome } from './open-home.ts';
import { checkDatabase } from '../store/maintenance/check-database.ts';

/** What was looked at, and everything that is wrong with it, in sentences. */
export interface HomeCheck {
  /** Absolute path of its file, or its address without the password. */
  readonly database: string;
  readonly findings: readonly string[];
}

/** Reads the whole database of a home, also while it is in use. Throws `not_found`, `database_newer`, `home_unusable`. */
export function checkHome(paths: HomePaths): HomeCheck {
  const { home, database, databaseUrl } = paths;
  putBackHome(home);
  if (databaseUrl !== undefined) return checkServer(paths);
  if (!existsSync(database)) throw new AppError('not_found', `The home ${home} has no database yet.`);
  return { database, findings: checkDatabase(database) };
}

function checkServer(paths: HomePaths): HomeCheck {
  const store = openHome(paths);
  try {
    return { database: store.name, findings: store.check() };
  } finally {
    store.close();
  }
}
