import { ArchiveError, quote } from '../archive-error.ts';

/** Options that map names in an archive to paths in the destination. */
export interface PathMapping {
  readonly preservePaths: boolean;
  readonly stripComponents: number;
}

/** Maximum length of entry names and link targets, in UTF-16 code units; longer than file systems allow. */
const maxNameLength = 4096;

/**
 * Splits an entry's name into path segments. Rejects names with `..`, absolute paths, drive letters and zero bytes.
 * Backslashes are separators on systems where they are, and wherever they could hide a `..`.
 * @param shown name for messages, if different from `name`
 * @throws ArchiveError of class `unsafe`
 */
export function splitName(name: string, shown: string = name): string[] {
  const isWindows = process.platform === 'win32';
  const throwUnsafe = (why: string): never => {
    throw new ArchiveError('unsafe', `${quote(shown)} ${why} and cannot be extracted`);
  };
  if (name.length > maxNameLength) throwUnsafe('exceeds the maximum path length');
  if (name.includes('\0')) throwUnsafe('contains a NUL byte');
  if (/^[\\/]/.test(name)) throwUnsafe('is an absolute path');
  if (/^[a-zA-Z]:([\\/]|$)/.test(name) || (isWindows && name.includes(':')))
    throwUnsafe('contains a drive or stream name');
  if (name.split(/[\\/]/).includes('..')) throwUnsafe('leaves the destination with ".."');
  const segments = name.split(isWindows ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  if (isWindows && segments.some(isReserved)) throwUnsafe('contains a name reserved by Windows');
  return segments;
}

const isReserved = (part: string): boolean =>
  /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i.test(part) || /[. ]$/.test(part);

/** Returns the path segments below the destination, or undefined if `stripComponents` removes all of them. */
export function destinationPathOf(
  segments: readonly string[],
  mapping: PathMapping,
): readonly string[] | undefined {
  const stripped = segments.slice(mapping.stripComponents);
  if (stripped.length === 0) return undefined;
  return mapping.preservePaths ? stripped : stripped.slice(-1);
}

/**
 * Checks that a symbolic link points into the destination. `..` is only allowed at the start of the target: the folder
 * of the link is a real folder, so these segments are resolved from there, and the rest only descends. A `..` after a
 * name could leave the destination through another link.
 * @param folder path segments of the folder that contains the link
 */
export function checkLinkTarget(target: string, folder: readonly string[], name: string): void {
  const throwUnsafe = (why: string): never => {
    throw new ArchiveError(
      'unsafe',
      `${quote(name)} is a link to ${quote(target)}, ${why}, and cannot be extracted`,
    );
  };
  if (target === '' || target.includes('\0') || target.length > maxNameLength)
    throwUnsafe('which is not a path');
  if (/^[\\/]/.test(target) || /^[a-zA-Z]:/.test(target)) throwUnsafe('which is an absolute path');
  const segments = target.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const down = segments.findIndex((part) => part !== '..');
  const ups = down === -1 ? segments.length : down;
  if (ups > folder.length) throwUnsafe('which is outside the destination');
  if (segments.slice(ups).includes('..')) throwUnsafe('which contains ".." after a folder name');
}
