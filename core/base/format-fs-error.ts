import { getErrorMessage } from './errors.ts';

/** Why a file operation failed, as the end of a sentence. */
export interface FsErrorText {
  readonly problem: string;
  /** The solution, if there is a known one. */
  readonly remedy?: string;
}

const denied = {
  problem: 'permission denied',
  remedy: 'check the permissions of the file and its folder',
};
const tooMany = {
  problem: 'too many files are open',
  remedy: 'raise the limit of open files (ulimit -n)',
};

const full = {
  problem: 'no space left on the disk',
  remedy: 'free some space, or use another location',
};

const faults: Readonly<Record<string, FsErrorText>> = {
  ENOENT: { problem: 'no such file or folder', remedy: 'check the path' },
  EACCES: denied,
  EPERM: denied,
  EROFS: { problem: 'the disk is read-only', remedy: 'make it writable, or use another location' },
  ENOSPC: full,
  EDQUOT: full,
  EEXIST: {
    problem: 'another file or folder already exists there',
    remedy: 'remove it, or use another location',
  },
  EISDIR: { problem: 'it is a folder', remedy: 'expected a file' },
  ENOTDIR: { problem: 'a part of the path is a file', remedy: 'expected a folder' },
  EIO: { problem: 'disk input/output error', remedy: 'check the disk' },
  ELOOP: { problem: 'too many levels of symbolic links', remedy: 'fix the links' },
  ENAMETOOLONG: { problem: 'the file name is too long', remedy: 'use a shorter name' },
  EMFILE: tooMany,
  ENFILE: tooMany,
};

/** Describes a system error by its code; other errors by their message. */
export const explainFsError = (error: unknown): FsErrorText =>
  faults[String((error as { code?: unknown } | undefined)?.code)] ?? { problem: getErrorMessage(error) };

/** Describes the error and its solution in one string. */
export function formatFsError(error: unknown): string {
  const { problem, remedy } = explainFsError(error);
  return remedy === undefined ? problem : `${problem}; ${remedy}`;
}
