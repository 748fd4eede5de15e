import { existsSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../config/home.ts';
import { putBackHome } from '../config/interrupted-restore.ts';
import { checkDatabase } from '../store/maintenance/check-database.ts';

/** What was looked at, and everything that is wrong with it, in sentences. */
export interface HomeCheck {
  /** Absolute. */
  readonly database: string;
  readonly findings: readonly string[];
}

/** Reads the whole database of a home, also while it is in use. Throws `not_found`, `database_newer`, `home_unusable`. */
export function checkHome({ home, database }: HomePaths): HomeCheck {
  putBackHome(home);
  if (!existsSync(database)) throw new AppError('not_found', `The home ${home} has no database yet.`);
  return { database, findings: checkDatabase(database) };
}
