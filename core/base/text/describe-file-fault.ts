import { messageOf } from '../errors.ts';

/** What a system refuses to do with a file or folder, as the end of a sentence. */
export interface FileFault {
  readonly fault: string;
  /** What to do about it, where that is known. */
  readonly cure?: string;
}

const denied = {
  fault: 'permission is denied',
  cure: 'check the permissions of it and of its folder',
};
const tooMany = {
  fault: 'too many files are open',
  cure: 'raise the limit of this program (ulimit -n)',
};

const full = {
  fault: 'its disk has no room left',
  cure: 'make room on it, or take another place',
};

const faults: Readonly<Record<string, FileFault>> = {
  ENOENT: { fault: 'there is no such file or folder', cure: 'check the path' },
  EACCES: denied,
  EPERM: denied,
  EROFS: { fault: 'its disk is read-only', cure: 'make it writable, or take another place' },
  ENOSPC: full,
  EDQUOT: full,
  EEXIST: { fault: 'something else is in its place', cure: 'remove that, or take another place' },
  EISDIR: { fault: 'it is a folder', cure: 'there must be a file' },
  ENOTDIR: { fault: 'a part of its path is a file', cure: 'there must be a folder' },
  EIO: { fault: 'its disk reports an error', cure: 'check the disk' },
  ELOOP: { fault: 'its links lead in a circle', cure: 'correct them' },
  ENAMETOOLONG: { fault: 'its name is too long', cure: 'choose a shorter one' },
  EMFILE: tooMany,
  ENFILE: tooMany,
};

/** By the code of the system; the words of anything else. */
export const findFileFault = (thrown: unknown): FileFault =>
  faults[String((thrown as { code?: unknown } | undefined)?.code)] ?? { fault: messageOf(thrown) };

/** Both as one: what is wrong, and what to do. */
export function describeFileFault(thrown: unknown): string {
  const { fault, cure } = findFileFault(thrown);
  return cure === undefined ? fault : `${fault}; ${cure}`;
}
