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
import { AppError } from '../base/errors.ts';
import { describeFileFault } from '../base/text/describe-file-fault.ts';
import { syncFolderNow } from '../files/sync-folder.ts';

/** What people edit they may also want to share; the folder around it is private. */
const newFileMode = 0o600;

/** Has the names in a folder written to the disk. */
type Settle = (folder: string) => void;

/**
 * Writes a file that is not there yet, whole or not at all. It is on the disk then, as with all that follow. Throws
 * `already_exists`, `home_unusable` or `storage_full`; nothing has changed then.
 */
export function createFile(file: string, text: string, settle: Settle = syncFolderNow): void {
  refusing(file, () => {
    const folder = path.dirname(file);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = writeDraft(file, text, newFileMode);
    try {
      if (!tryLink(draft, file)) copyFileSync(draft, file, constants.COPYFILE_EXCL);
    } finally {
      rmSync(draft, { force: true });
    }
    settle(folder);
  });
}

/**
 * Puts a text in the place of a file's, whole or not at all. A link stays a link, to the file with the new text; the
 * file's permissions stay. Throws as {@link createFile}.
 */
export function replaceFile(file: string, text: string, settle: Settle = syncFolderNow): void {
  refusing(file, () => {
    const target = realpathSync(file);
    const draft = writeDraft(target, text, statSync(target).mode & 0o777);
    putDraft(draft, target);
    settle(path.dirname(target));
  });
}

/**
 * Puts a text at a place, whether or not there is a file, whole or not at all. Throws `home_unusable` or
 * `storage_full`; nothing has changed then.
 */
export function putFile(file: string, text: string, settle: Settle = syncFolderNow): void {
  refusing(file, () => {
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    putDraft(writeDraft(file, text, newFileMode), file);
    settle(folder);
  });
}

/** Gives a file, or a link to one, another name in its folder, never one that is taken. Throws as {@link createFile}. */
export function renameFile(file: string, newFile: string, settle: Settle = syncFolderNow): void {
  refusing(newFile, () => {
    // Some systems would make a second name of what a link leads to.
    if (!lstatSync(file).isSymbolicLink() && tryLink(file, newFile)) unlinkSync(file);
    else {
      if (lstatSync(newFile, { throwIfNoEntry: false }) !== undefined && !isOwnName(file, newFile))
        throw taken(newFile);
      renameSync(file, newFile);
    }
    settle(path.dirname(newFile));
  });
}

/** Removes a file; one that is gone already is what was wanted. Throws `home_unusable`. */
export function removeFile(file: string): void {
  refusing(file, () => rmSync(file, { force: true }));
}

/** Hidden, and without an ending that the library reads. */
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

function putDraft(draft: string, file: string): void {
  try {
    renameSync(draft, file);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Gives a file a second name, which, unlike a renaming, refuses one that is taken; whether that could be done. */
function tryLink(file: string, newFile: string): boolean {
  try {
    linkSync(file, newFile);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST' || withoutLinks.has(codeOf(thrown))) return false;
    throw thrown;
  }
}

/** What file systems without links say. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Where case does not count, a name that differs in nothing else is the file's own. */
function isOwnName(file: string, other: string): boolean {
  if (file === other || file.toLowerCase() !== other.toLowerCase()) return false;
  const [a, b] = [lstatSync(file), lstatSync(other)];
  return a.ino === b.ino && a.dev === b.dev;
}

const codeOf = (thrown: unknown): string => String((thrown as NodeJS.ErrnoException).code);

const taken = (file: string): AppError =>
  new AppError('already_exists', `File ${file} already exists. Choose another name.`);

function refusing(file: string, operation: () => void): void {
  try {
    operation();
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const code = codeOf(thrown);
    const options = { cause: thrown };
    if (code === 'EEXIST') throw taken(file);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      const message = `No space left to write ${file}. Free some space on the disk.`;
      throw new AppError('storage_full', message, options);
    }
    const message = `Cannot write ${file}: ${describeFileFault(thrown)}.`;
    throw new AppError('home_unusable', message, options);
  }
}
