import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** A working directory that is missing and cannot be made. */
export class WorkingDirError extends Error {
  override readonly name = 'WorkingDirError';
}

/**
 * The folder a run's relative paths count from: the workflow's `workingDir` (against its file's
 * folder), else the caller's fallback, else the file's folder, else the current directory.
 * @param written the workflow's `workingDir`, already expanded
 */
export function runWorkingDir(facts: { written?: string; fallback?: string; file?: string }): string {
  const fileDir = facts.file === undefined ? process.cwd() : path.dirname(facts.file);
  if (facts.written !== undefined && facts.written !== '') return resolveFolder(facts.written, fileDir);
  return facts.fallback ?? fileDir;
}

/** An absolute path; `~` is the user's home, relative ones count from `base`. */
export function resolveFolder(written: string, base: string): string {
  if (written === '~' || written.startsWith('~/')) return path.join(homedir(), written.slice(1));
  return path.resolve(base, written);
}

/** Whether the folder is there; a missing one could be made. Throws `WorkingDirError` when not even that. */
export function isFolderThere(folder: string): boolean {
  return explainTrouble(folder, () => {
    const highest = findMissing(folder).at(-1);
    if (highest !== undefined) accessSync(path.dirname(highest), constants.W_OK);
    return highest === undefined;
  });
}

/** Makes the folder when it is missing (as the peer does). Throws `WorkingDirError`. */
export function ensureFolder(folder: string): void {
  explainTrouble(folder, () => makeWithParents(folder));
}

function explainTrouble<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? String(thrown);
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its way' : code;
    throw new WorkingDirError(`The working directory ${folder} does not exist and cannot be made: ${why}`);
  }
}

/**
 * Folder by folder, from the deepest one that exists: Node's own `recursive` never returns where a
 * folder exists and refuses to hold another, as below `/proc`.
 */
function makeWithParents(folder: string): void {
  for (const next of findMissing(folder).toReversed()) {
    try {
      mkdirSync(next);
    } catch (thrown) {
      // Another step may have made it meanwhile.
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }
}

/** The folder and those above it that are not there, the deepest first. Throws when a file is in the way. */
function findMissing(folder: string): string[] {
  const missing: string[] = [];
  let above = folder;
  while (statSync(above, { throwIfNoEntry: false }) === undefined && path.dirname(above) !== above) {
    missing.push(above);
    above = path.dirname(above);
  }
  if (!statSync(above).isDirectory()) throw Object.assign(new Error(above), { code: 'ENOTDIR' });
  return missing;
}
