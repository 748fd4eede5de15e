import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder when it is missing, and those above it, one by one from the deepest one that exists: Node's own
 * `recursive` never returns where a folder exists and refuses to hold another, as below `/proc`. Throws what the
 * file system says; `ENOTDIR` when a file is in the way.
 * @param mode of each folder that is made
 */
export function makeFolder(folder: string, mode?: number): void {
  for (const next of findMissingFolders(folder).toReversed()) {
    try {
      mkdirSync(next, mode);
    } catch (thrown) {
      // Somebody else may have made it meanwhile.
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }
}

/** The folder and those above it that are not there, the deepest first. Throws `ENOTDIR` when a file is in the way. */
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
