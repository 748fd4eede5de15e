import { messageOf } from '../errors.ts';

/** Why a file operation failed, as the end of a sentence. */
export interface FileFault {
  readonly fault: string;
  /** The solution, if there is a known one. */
  readonly cure?: string;
}

const denied = {
  fault: 'permission denied',
  cure: 'check the permissions of the file and its folder',
};
const tooMany = {
  fault: 'too many files are open',
  cure: 'raise the limit of open files (ulimit -n)',
};

const full = {
  fault: 'no space left on the disk',
  cure: 'free some space, or use another location',
};

const faults: Readonly<Record<string, FileFault>> = {
  ENOENT: { fault: 'no such file or folder', cure: 'check the path' },
  EACCES: denied,
  EPERM: denied,
  EROFS: { fault: 'the disk is read-only', cure: 'make it writable, or use another location' },
  ENOSPC: full,
  EDQUOT: full,
  EEXIST: {
    fault: 'another file or folder already exists there',
    cure: 'remove it, or use another location',
  },
  EISDIR: { fault: 'it is a folder', cure: 'expected a file' },
  ENOTDIR: { fault: 'a part of the path is a file', cure: 'expected a folder' },
  EIO: { fault: 'disk input/output error', cure: 'check the disk' },
  ELOOP: { fault: 'too many levels of symbolic links', cure: 'fix the links' },
  ENAMETOOLONG: { fault: 'the file name is too long', cure: 'use a shorter name' },
  EMFILE: tooMany,
  ENFILE: tooMany,
};

/** Describes a system error by its code; other errors by their message. */
export const findFileFault = (thrown: unknown): FileFault =>
  faults[String((thrown as { code?: unknown } | undefined)?.code)] ?? { fault: messageOf(thrown) };

/** Describes the error and its solution in one string. */
export function describeFileFault(thrown: unknown): string {
  const { fault, cure } = findFileFault(thrown);
  return cure === undefined ? fault : `${fault}; ${cure}`;
}
