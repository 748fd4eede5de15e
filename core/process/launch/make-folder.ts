import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a directory and its missing parents, one by one from the deepest one that exists: Node's `recursive` never
 * returns if a directory exists and does not allow subdirectories, as below `/proc`. Throws file system errors;
 * `ENOTDIR` when a file is in the way.
 * @param mode of each created directory
 */
export function makeFolder(folder: string, mode?: number): void {
  for (const next of findMissingFolders(folder).toReversed()) {
    try {
      mkdirSync(next, mode);
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Returns the missing directories among a directory and its parents, deepest first. Throws `ENOTDIR` when a file is in
 * the way.
 */
export function findMissingFolders(folder: string): string[] {
  const missing: string[] = [];
  let above = folder;
  while (statSync(above, { throwIfNoEntry: false }) === undefined && path.dirname(above) !== above) {
    missing.push(above);
    above = path.dirname(above);
  }
  if (!statSync(above).isDirectory()) throw Object.assign(new Error(above), { code: 'ENOTDIR' });
  return missing;
}
