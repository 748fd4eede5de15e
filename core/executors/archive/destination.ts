import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, rename, symlink, unlink, utimes, lutimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';
import { openFlags, Folders } from './folders.ts';

/** Metadata of an entry that is restored. */
export interface EntryMetadata {
  readonly mode: number | undefined;
  /** Epoch seconds. */
  readonly modified: number | undefined;
}

/** Permission bits without set-user-id, set-group-id and sticky bits. */
const plainBits = 0o777;
const usualFileMode = 0o644;

/**
 * The folder that an archive is extracted into. Each file and link is created under a temporary name next to its
 * destination and then renamed, so that a file is never visible before it is complete, and nothing is written through
 * a link.
 */
export class Destination {
  readonly #folders: Folders;
  readonly #overwrite: boolean;
  readonly #prefix = `.stepwright-${randomBytes(6).toString('hex')}`;
  #temporaries = 0;

  private constructor(folders: Folders, overwrite: boolean) {
    this.#folders = folders;
    this.#overwrite = overwrite;
  }

  /**
   * Opens the folder and creates it if it is missing, unless it is a dry run.
   * @throws ArchiveError
   */
  static async open(
    path: string,
    { overwrite, dryRun }: { readonly overwrite: boolean; readonly dryRun: boolean },
  ): Promise<Destination> {
    try {
      if (dryRun) return new Destination(await Folders.openIfExists(path), overwrite);
      await mkdir(path, { recursive: true });
      return new Destination(await Folders.below(path), overwrite);
    } catch (error) {
      throw toArchiveError(error, `destination ${quote(path)}`);
    }
  }

  close(): Promise<void> {
    return this.#folders.close();
  }

  /**
   * Writes a file.
   * @param segments path segments
   */
  writeFile(
    segments: readonly string[],
    { mode, modified }: EntryMetadata,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    return this.#writeAtomically(segments, async (temporary) => {
      const file = await open(temporary, openFlags.create, 0o600);
      try {
        await file.writeFile(content);
        await file.chmod((mode ?? usualFileMode) & plainBits);
        if (modified !== undefined) await file.utimes(modified, modified);
      } finally {
        await file.close();
      }
    });
  }

  /** Creates a symbolic link. The target must be validated already. */
  makeSymlink(segments: readonly string[], target: string, modified: number | undefined): Promise<void> {
    return this.#writeAtomically(segments, async (temporary) => {
      await symlink(target, temporary);
      if (modified !== undefined) await lutimes(temporary, modified, modified);
    });
  }

  /** Creates a hard link to a file of the destination. */
  makeHardLink(segments: readonly string[], target: readonly string[]): Promise<void> {
    return this.#writeAtomically(segments, (temporary) =>
      this.#folders.use(target.slice(0, -1), false, async (folder) => {
        const existing = join(folder, target.at(-1)!);
        if (!(await lstat(existing)).isFile())
          throw new ArchiveError('unsafe', `link to ${quote(target.join('/'))}, which is not a file`);
        await link(existing, temporary);
      }),
    );
  }

  /** Creates a folder and its parents. An existing folder is accepted. */
  makeFolder(segments: readonly string[]): Promise<void> {
    return this.#folders.use(segments, true, async () => {});
  }

  /** Sets the permissions and time of a folder after its last entry is written. */
  setFolderMetadata(segments: readonly string[], { mode, modified }: EntryMetadata): Promise<void> {
    return this.#folders.use(segments, false, async (path, handle) => {
      if (modified !== undefined)
        await (handle === undefined ? utimes(path, modified, modified) : handle.utimes(modified, modified));
      if (mode !== undefined)
        await (handle === undefined ? chmod(path, mode & plainBits) : handle.chmod(mode & plainBits));
    });
  }

  /**
   * Checks that nothing exists at a path that must not be replaced.
   * @throws ArchiveError of class `exists`
   */
  async checkFree(segments: readonly string[]): Promise<void> {
    try {
      await this.#folders.use(segments.slice(0, -1), false, (folder) => this.#assertAbsent(folder, segments));
    } catch (cause) {
      const error = toArchiveError(cause, quote(segments.join('/')));
      if (error.class !== 'missing') throw error;
    }
  }

  async #assertAbsent(folder: string, segments: readonly string[]): Promise<void> {
    if (this.#overwrite) return;
    const stats = await lstat(join(folder, segments.at(-1)!)).catch(() => undefined);
    if (stats === undefined) return;
    throw new ArchiveError(
      'exists',
      `${quote(segments.join('/'))} already exists in the destination. Delete it, or set "overwrite: true"`,
    );
  }

  async #writeAtomically(
    segments: readonly string[],
    make: (temporary: string) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#folders.use(segments.slice(0, -1), true, async (folder) => {
        await this.#assertAbsent(folder, segments);
        this.#temporaries += 1;
        const temporary = join(folder, `${this.#prefix}-${this.#temporaries}.part`);
        let isPlaced = false;
        try {
          await make(temporary);
          await rename(temporary, join(folder, segments.at(-1)!));
          isPlaced = true;
        } finally {
          if (!isPlaced) await unlink(temporary).catch(() => {});
        }
      });
    } catch (error) {
      throw toArchiveError(error, quote(segments.join('/')));
    }
  }
}

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
  if (name.split(/[\\/]/).includes('..')) throwUnsafe('points outside the destination with ".."');
  const segments = name.split(isWindows ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  if (isWindows && segments.some(isReserved)) throwUnsafe('contains a name reserved by Windows');
  return segments;
}

const isReserved = (part: string): boolean =>
  /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i.test(part) || /[. ]$/.test(part);

/** Returns the path segments below the destination, or undefined if `stripComponents` removes all of them. */
export function getDestinationPath(
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
