import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/errors.ts';
import { describeFileFault } from '../base/text/describe-file-fault.ts';
import type { HomePaths } from './home.ts';

/**
 * Makes the home's folders, private to the user. A home without a workflow folder also
 * receives the samples, so that a first start has something to run; an emptied folder stays empty.
 * Throws `home_unusable`.
 */
export function prepareHome(paths: HomePaths, samplesDir?: string): void {
  try {
    const firstStart = !existsSync(paths.dags);
    for (const folder of [paths.home, paths.dags, paths.logs, paths.data]) {
      makeFolder(folder);
    }
    if (firstStart && samplesDir !== undefined) cpSync(samplesDir, paths.dags, { recursive: true });
  } catch (thrown) {
    const { path: at = paths.home } = thrown as NodeJS.ErrnoException;
    const what = at === paths.home ? '' : `${at}: `;
    throw new AppError(
      'home_unusable',
      `Cannot use the home ${paths.home}: ${what}${describeFileFault(thrown)}`,
      { cause: thrown },
    );
  }
}

/**
 * Makes a folder and those above it, private to the user. Step by step, since Node's `recursive` goes round in circles
 * for ever where a folder is there and yet nothing can be made in it (ENOENT: `/proc`, the folder of an automounter).
 */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) {
    if (!existsSync(path.dirname(folder))) makeFolder(path.dirname(folder));
    mkdirUnlessThere(folder);
  }
  // It is there by now, or this says what else is in its place.
  mkdirSync(folder, { recursive: true });
}

/** Another process may be making the same. */
function mkdirUnlessThere(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
  }
}
