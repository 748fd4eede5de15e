import { messageOf } from '../errors.ts';

const denied = 'permission is denied; check the permissions of it and of its folder';
const tooMany = 'too many files are open; raise the limit of this program (ulimit -n)';

/** By the code of the system. */
const words: Readonly<Record<string, string>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: 'its disk is read-only; make it writable, or take another place',
  EEXIST: 'something else is in its place; remove that, or take another place',
  EISDIR: 'it is a folder; there must be a file',
  ENOTDIR: 'a part of its path is a file; there must be a folder',
  EIO: 'its disk reports an error; check the disk',
  ELOOP: 'its links lead in a circle; correct them',
  ENAMETOOLONG: 'its name is too long; choose a shorter one',
  EMFILE: tooMany,
  ENFILE: tooMany,
};

/** What a system refuses to do with a file or folder, as the end of a sentence: what is wrong, and what to do. */
export const describeFileFault = (thrown: unknown): string =>
  words[String((thrown as { code?: unknown } | undefined)?.code)] ?? messageOf(thrown);
