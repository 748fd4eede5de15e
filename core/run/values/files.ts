import { accessSync, constants, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findMissingFolders, makeFolder } from '../../process/output-files.ts';
import { formatFsError } from '../../base/errors.ts';

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

/** A file that exists but is not the expected text; the message is the part after the file's name. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError';
}

/** Returns what exists at a path: directories and pipes count too, files in a missing directory do not. */
export function getFileKind(file: string): 'missing' | 'file' | 'other' {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    return stats.isFile() ? 'file' : 'other';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'missing';
    throw cannotBeRead(error);
  }
}

/**
 * Reads a UTF-8 file, without its byte order mark. Does not wait for a pipe.
 * @throws `UnreadableTextError` when it is not a file, cannot be read, is larger than `maxBytes`, or is not text
 */
export function readTextFile(file: string, maxBytes: number): string {
  const kind = getFileKind(file);
  if (kind === 'missing') throw new UnreadableTextError('does not exist. Create the file');
  if (kind === 'other') throw new UnreadableTextError('is not a file. Use a file');
  return decodeText(readBounded(file, maxBytes), maxBytes);
}

/**
 * Decodes UTF-8, without its byte order mark.
 * @throws `UnreadableTextError` for more than `maxBytes` bytes, and for bytes that are not text
 */
export function decodeText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes)
    throw new UnreadableTextError(`is larger than ${formatLimit(maxBytes)}. Use a smaller file`);
  if (bytes.includes(0))
    throw new UnreadableTextError('is a binary file: it contains a NUL byte. Use a text file');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableTextError('is not valid UTF-8. Save it in UTF-8 encoding');
  }
}

const formatLimit = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes} bytes` : `${bytes / 1024 / 1024} MiB`;

/** Reads at most one byte more than allowed, to detect that the file is too large. */
function readBounded(file: string, maxBytes: number): Buffer {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const buffer = Buffer.alloc(Math.min(maxBytes, fstatSync(handle).size) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(handle, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } catch (error) {
    throw cannotBeRead(error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const cannotBeRead = (error: unknown): UnreadableTextError =>
  new UnreadableTextError(`cannot be read: ${formatFsError(error)}`);
