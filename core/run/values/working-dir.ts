import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findMissingFolders, makeFolder } from '../../process/output-files.ts';

/** A working directory that is missing and cannot be created. */
export class WorkingDirError extends Error {
  override readonly name = 'WorkingDirError';
}

/**
 * Returns the base directory of a run's relative paths: the workflow's `workingDir` (relative to its file's directory),
 * otherwise the caller's fallback, the file's directory, or the current directory.
 * @param options.written the workflow's `workingDir`, already expanded
 */
export function runWorkingDir(options: { written?: string; fallback?: string; file?: string }): string {
  const fileDir = options.file === undefined ? process.cwd() : path.dirname(options.file);
  if (options.written !== undefined && options.written !== '') return resolveFolder(options.written, fileDir);
  return options.fallback ?? fileDir;
}

/** Returns an absolute path; `~` is the user's home, other paths are relative to `base`. */
export function resolveFolder(dirText: string, base: string): string {
  if (dirText === '~' || dirText.startsWith('~/')) return path.resolve(homedir(), `.${dirText.slice(1)}`);
  return path.resolve(base, dirText);
}

/**
 * Whether the directory exists; a missing one can be created.
 * @throws `WorkingDirError` when it cannot be created
 */
export function directoryExists(folder: string): boolean {
  return explainProblem(folder, () => {
    const highest = findMissingFolders(folder).at(-1);
    if (highest !== undefined) accessSync(path.dirname(highest), constants.W_OK);
    return highest === undefined;
  });
}

/**
 * Creates the directory when it is missing (as Dagu does).
 * @throws `WorkingDirError`
 */
export function ensureFolder(folder: string): void {
  explainProblem(folder, () => makeFolder(folder));
}

function explainProblem<Result>(folder: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const cause = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file with this name already exists' : code;
    throw new WorkingDirError(`Working directory ${folder} does not exist and cannot be created: ${cause}`);
  }
}
