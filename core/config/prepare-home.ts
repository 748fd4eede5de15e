import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { AppError, messageOf } from '../base/errors.ts';
import type { HomePaths } from './home.ts';

/**
 * Makes the home's folders, private to the user (DESIGN 8). A home without a workflow folder also
 * receives the samples, so that a first start has something to run; an emptied folder stays empty.
 * Throws `home_unusable`.
 */
export function prepareHome(paths: HomePaths, samplesDir?: string): void {
  try {
    const firstStart = !existsSync(paths.dags);
    for (const folder of [paths.home, paths.dags, paths.logs, paths.data]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    if (firstStart && samplesDir !== undefined) cpSync(samplesDir, paths.dags, { recursive: true });
  } catch (thrown) {
    throw new AppError('home_unusable', `The home ${paths.home} cannot be used: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
