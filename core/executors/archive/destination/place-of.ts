import { ArchiveError, quote } from '../archive-error.ts';

/** How names in an archive become places in the destination. */
export interface Placing {
  readonly preservePaths: boolean;
  readonly stripComponents: number;
}

/** Longest name of an entry and longest target of a link, in UTF-16 units; more than file systems take. */
const longestName = 4096;

/**
 * The parts of an entry's name. Throws `ArchiveError` of class `unsafe` for a name that leads anywhere but down: with
 * `..`, from the root, with a drive, or with a zero byte. Backslashes count as separators where they are some, and
 * wherever they would hide a `..`.
 * @param shown the name for messages, when it is not `name` that is at fault
 */
export function splitName(name: string, shown: string = name): string[] {
  const isWindows = process.platform === 'win32';
  const refuse = (why: string): never => {
    throw new ArchiveError('unsafe', `${quote(shown)} ${why} and cannot be extracted`);
  };
  if (name.length > longestName) refuse('exceeds the maximum path length');
  if (name.includes('\0')) refuse('contains a NUL byte');
  if (/^[\\/]/.test(name)) refuse('is an absolute path');
  if (/^[a-zA-Z]:([\\/]|$)/.test(name) || (isWindows && name.includes(':')))
    refuse('contains a drive or stream name');
  if (name.split(/[\\/]/).includes('..')) refuse('leaves the destination with ".."');
  const parts = name.split(isWindows ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  if (isWindows && parts.some(isReserved)) refuse('contains a name reserved by Windows');
  return parts;
}

const isReserved = (part: string): boolean =>
  /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i.test(part) || /[. ]$/.test(part);

/** Where the parts of a name lie below the destination; undefined when nothing of them is left. */
export function placeOf(parts: readonly string[], placing: Placing): readonly string[] | undefined {
  const left = parts.slice(placing.stripComponents);
  if (left.length === 0) return undefined;
  return placing.preservePaths ? left : left.slice(-1);
}

/**
 * Checks that a symbolic link leads to a place in the destination. Each `..` must stand at its beginning: the folder
 * the link lies in is real, so those are counted from there, and what follows goes down only. A `..` after a name could
 * leave through another link.
 * @param folder the parts of the folder the link will lie in
 */
export function checkLinkTarget(target: string, folder: readonly string[], name: string): void {
  const refuse = (why: string): never => {
    throw new ArchiveError(
      'unsafe',
      `${quote(name)} is a link to ${quote(target)}, ${why}, and cannot be extracted`,
    );
  };
  if (target === '' || target.includes('\0') || target.length > longestName) refuse('which is not a path');
  if (/^[\\/]/.test(target) || /^[a-zA-Z]:/.test(target)) refuse('which is an absolute path');
  const parts = target.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  const ups = down === -1 ? parts.length : down;
  if (ups > folder.length) refuse('which is outside the destination');
  if (parts.slice(ups).includes('..')) refuse('which contains ".." after a folder name');
}
