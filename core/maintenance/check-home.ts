import { existsSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../config/home.ts';
import { rollbackRestore } from '../config/interrupted-restore.ts';
import { openHome } from './open-home.ts';
import { checkDatabase } from '../store/maintenance/check-database.ts';

/** Result of a check, with a sentence for each error. */
export interface HomeCheck {
  /** Absolute path of the file, or the server URL without the password. */
  readonly database: string;
  readonly findings: readonly string[];
}

/** Checks the whole database of a home, even while in use. Throws `not_found`, `database_newer`, `home_unusable`. */
export function checkHome(paths: HomePaths): HomeCheck {
  const { home, database, databaseUrl } = paths;
  rollbackRestore(home);
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
