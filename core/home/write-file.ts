import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { AppError, formatFsError } from '../base/errors.ts';
import { fsyncDirSync } from '../process/write-file-durable.ts';

/** Only the user can read a new file by default; the user may share files, but the folder around them is private. */
const newFileMode = 0o600;

/** Flushes the names in a folder to disk. */
type FlushFolder = (folder: string) => void;

/**
 * Creates a file atomically and flushes it to disk; nothing has changed on failure.
 * @throws `already_exists`, `home_unusable` or `storage_full`
 */
export function createFile(file: string, text: string, flushFolder: FlushFolder = fsyncDirSync): void {
  mappingErrors(file, () => {
    const folder = path.dirname(file);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = writeDraft(file, text, newFileMode);
    try {
      if (!tryLink(draft, file)) copyFileSync(draft, file, constants.COPYFILE_EXCL);
    } finally {
      rmSync(draft, { force: true });
    }
    flushFolder(folder);
  });
}

/**
 * Replaces the text of a file atomically and flushes it to disk. A link stays and its target is replaced; permissions
 * are preserved.
 * @throws as {@link createFile}
 */
export function replaceFile(file: string, text: string, flushFolder: FlushFolder = fsyncDirSync): void {
  mappingErrors(file, () => {
    const target = realpathSync(file);
    const draft = writeDraft(target, text, statSync(target).mode & 0o777);
    moveDraft(draft, target);
    flushFolder(path.dirname(target));
  });
}

/**
 * Creates or replaces a file atomically and flushes it to disk; nothing has changed on failure.
 * @throws `home_unusable` or `storage_full`
 */
export function putFile(file: string, text: string, flushFolder: FlushFolder = fsyncDirSync): void {
  mappingErrors(file, () => {
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    moveDraft(writeDraft(file, text, newFileMode), file);
    flushFolder(folder);
  });
}

/**
 * Renames or moves a file or link. Never replaces an existing file.
 * @throws as {@link createFile}
 */
export function renameFile(file: string, newFile: string, flushFolder: FlushFolder = fsyncDirSync): void {
  mappingErrors(newFile, () => {
    // On some systems, this would create a hard link to the target of a symbolic link.
    if (!lstatSync(file).isSymbolicLink() && tryLink(file, newFile)) unlinkSync(file);
    else {
      if (lstatSync(newFile, { throwIfNoEntry: false }) !== undefined && !isSameFile(file, newFile))
        throw nameTakenError(newFile);
      renameSync(file, newFile);
    }
    flushFolder(path.dirname(newFile));
  });
}

/**
 * Creates a folder and those around it.
 * @throws `home_unusable` or `storage_full`
 */
export function makeFolder(folder: string): void {
  mappingErrors(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
}

/**
 * Deletes a file; a missing file is no error.
 * @throws `home_unusable`
 */
export function removeFile(file: string): void {
  mappingErrors(file, () => rmSync(file, { force: true }));
}

/** The name is hidden, and has no extension that the library reads. */
function writeDraft(file: string, text: string, mode: number): string {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.draft`);
  const handle = openSync(draft, 'w', mode);
  try {
    writeFileSync(handle, text, 'utf8');
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return draft;
}

function moveDraft(draft: string, file: string): void {
  try {
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Creates a hard link, which fails if the name is taken, unlike renaming. Returns whether it was possible. */
function tryLink(file: string, newFile: string): boolean {
  try {
    linkSync(file, newFile);
    return true;
  } catch (error) {
    if (getCode(error) === 'EEXIST' || withoutLinks.has(getCode(error))) return false;
    throw error;
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Whether two names refer to the same file on a case-insensitive file system. */
function isSameFile(file: string, other: string): boolean {
  if (file === other || file.toLowerCase() !== other.toLowerCase()) return false;
  const [a, b] = [lstatSync(file), lstatSync(other)];
  return a.ino === b.ino && a.dev === b.dev;
}

const getCode = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const nameTakenError = (file: string): AppError =>
  new AppError('already_exists', `File ${file} already exists. Choose another name.`);

function mappingErrors(file: string, operation: () => void): void {
  try {
    operation();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = getCode(error);
    const options = { cause: error };
    if (code === 'EEXIST') throw nameTakenError(file);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      const message = `No space left to write ${file}. Free some space on the disk.`;
      throw new AppError('storage_full', message, options);
    }
    const message = `Cannot write ${file}: ${formatFsError(error)}.`;
    throw new AppError('home_unusable', message, options);
  }
}
