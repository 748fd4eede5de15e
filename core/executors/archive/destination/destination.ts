import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, rename, symlink, unlink, utimes, lutimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, quote, toArchiveError } from '../archive-error.ts';
import { openFlags } from '../open-flags.ts';
import { Folders } from './folders.ts';

/** What is kept of an entry besides its content. */
export interface Marks {
  readonly mode: number | undefined;
  /** Epoch seconds. */
  readonly modified: number | undefined;
}

/** Permissions without set-user-id, set-group-id and the sticky bit. */
const plainBits = 0o777;
const usualFileMode = 0o644;

/**
 * A folder that an archive is extracted into. Each file and link is made under a temporary name beside its place and
 * then renamed, so that no half file is ever seen under the name of a whole one, and nothing is written through a link.
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

  /** Makes the folder when it is missing and not only looked at. Rejects with `ArchiveError`. */
  static async open(
    path: string,
    { overwrite, dryRun }: { readonly overwrite: boolean; readonly dryRun: boolean },
  ): Promise<Destination> {
    try {
      if (dryRun) return new Destination(await Folders.belowPerhaps(path), overwrite);
      await mkdir(path, { recursive: true });
      return new Destination(await Folders.below(path), overwrite);
    } catch (thrown) {
      throw toArchiveError(thrown, `destination ${quote(path)}`);
    }
  }

  close(): Promise<void> {
    return this.#folders.close();
  }

  /**
   * Writes a file.
   * @param place the parts of its path
   */
  writeFile(
    place: readonly string[],
    { mode, modified }: Marks,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    return this.#put(place, async (temporary) => {
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

  /** Makes a symbolic link, whose target has been checked. */
  makeSymlink(place: readonly string[], target: string, modified: number | undefined): Promise<void> {
    return this.#put(place, async (temporary) => {
      await symlink(target, temporary);
      if (modified !== undefined) await lutimes(temporary, modified, modified);
    });
  }

  /** Makes another name for a file of the destination. */
  makeHardLink(place: readonly string[], target: readonly string[]): Promise<void> {
    return this.#put(place, (temporary) =>
      this.#folders.use(target.slice(0, -1), false, async (folder) => {
        const existing = join(folder, target.at(-1)!);
        if (!(await lstat(existing)).isFile())
          throw new ArchiveError('unsafe', `link to ${quote(target.join('/'))}, which is not a file`);
        await link(existing, temporary);
      }),
    );
  }

  /** Makes a folder and those above it; one that exists is as good. */
  makeFolder(place: readonly string[]): Promise<void> {
    return this.#folders.use(place, true, async () => {});
  }

  /** Gives a folder its permissions and time, once nothing is to be put into it any more. */
  markFolder(place: readonly string[], { mode, modified }: Marks): Promise<void> {
    return this.#folders.use(place, false, async (path, handle) => {
      if (modified !== undefined)
        await (handle === undefined ? utimes(path, modified, modified) : handle.utimes(modified, modified));
      if (mode !== undefined)
        await (handle === undefined ? chmod(path, mode & plainBits) : handle.chmod(mode & plainBits));
    });
  }

  /** Rejects with `ArchiveError` of class `exists` when there is something at a place that may not be replaced. */
  async checkFree(place: readonly string[]): Promise<void> {
    try {
      await this.#folders.use(place.slice(0, -1), false, (folder) => this.#refuseExisting(folder, place));
    } catch (thrown) {
      const error = toArchiveError(thrown, quote(place.join('/')));
      if (error.class !== 'missing') throw error;
    }
  }

  async #refuseExisting(folder: string, place: readonly string[]): Promise<void> {
    if (this.#overwrite) return;
    const found = await lstat(join(folder, place.at(-1)!)).catch(() => undefined);
    if (found === undefined) return;
    throw new ArchiveError(
      'exists',
      `${quote(place.join('/'))} already exists in the destination. Delete it, or set "overwrite: true"`,
    );
  }

  async #put(place: readonly string[], make: (temporary: string) => Promise<void>): Promise<void> {
    try {
      await this.#folders.use(place.slice(0, -1), true, async (folder) => {
        await this.#refuseExisting(folder, place);
        this.#temporaries += 1;
        const temporary = join(folder, `${this.#prefix}-${this.#temporaries}.part`);
        let isPlaced = false;
        try {
          await make(temporary);
          await rename(temporary, join(folder, place.at(-1)!));
          isPlaced = true;
        } finally {
          if (!isPlaced) await unlink(temporary).catch(() => {});
        }
      });
    } catch (thrown) {
      throw toArchiveError(thrown, quote(place.join('/')));
    }
  }
}
