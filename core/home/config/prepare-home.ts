import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { formatFsError } from '../../base/format-fs-error.ts';
import type { HomePaths } from './home.ts';

/**
 * Creates the folders of a home, accessible only to the user. If there is no workflow folder, copies the samples, so
 * that there is something to run; an emptied folder stays empty.
 * @throws `home_unusable`
 */
export function prepareHome(paths: HomePaths, samplesDir?: string): void {
  try {
    const firstStart = !existsSync(paths.dags);
    for (const folder of [paths.home, paths.dags, paths.logs, paths.data]) {
      makePrivateFolder(folder);
    }
    if (firstStart && samplesDir !== undefined) cpSync(samplesDir, paths.dags, { recursive: true });
  } catch (error) {
    const { path: at = paths.home } = error as NodeJS.ErrnoException;
    const what = at === paths.home ? '' : `${at}: `;
    throw new AppError('home_unusable', `Cannot use the home ${paths.home}: ${what}${formatFsError(error)}`, {
      cause: error,
    });
  }
}

/**
 * Creates a folder and its parents, accessible only to the user. Creates them one by one, because Node's `recursive`
 * loops forever if a parent exists but nothing can be created in it (ENOENT: `/proc`, the folder of an automounter).
 */
function makePrivateFolder(folder: string): void {
  if (!existsSync(folder)) {
    if (!existsSync(path.dirname(folder))) makePrivateFolder(path.dirname(folder));
    mkdirIfMissing(folder);
  }
  // By now the folder exists, or this call reports what is in its place.
  mkdirSync(folder, { recursive: true });
}

/** Another process may be creating the same folder. */
function mkdirIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
