import { existsSync, constants } from 'node:fs';
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';

/** Number of folders that stay open for reuse. */
const maxCachedFolders = 64;

/** Paths below it refer to open folders of this process, which gives the semantics of openat(2). */
const descriptorFolder = '/proc/self/fd';

interface OpenFolder {
  /** A path to the folder that replaced links cannot redirect, where the system supports this. */
  readonly path: string;
  readonly handle: FileHandle | undefined;
  users: number;
  isCached: boolean;
}

/**
 * Accesses the folders below a root segment by segment, without following symbolic links. On Linux, each segment is
 * looked up in the open folder of the previous segment, so that a link that is created concurrently has no effect. On
 * other systems, real paths are compared before each use.
 */
export class Folders {
  readonly #root: string;
  readonly #byDescriptor = existsSync(descriptorFolder) && canOpenFolders;
  /** By path below the root, least recently used first. */
  readonly #open = new Map<string, Promise<OpenFolder>>();
  readonly #closing = new Set<Promise<void>>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** @param root a folder; a link as the root itself is followed */
  static async below(root: string): Promise<Folders> {
    return new Folders(await realpath(root));
  }

  /** Opens a root that may not exist. Nothing can be created below it. */
  static async openIfExists(root: string): Promise<Folders> {
    return new Folders(await realpath(root).catch(() => root));
  }

  /**
   * Runs work in a folder.
   * @param segments path segments below the root
   * @param make creates the folder if it is missing
   * @param work receives a path to the folder that is valid until the returned promise resolves
   */
  async use<Value>(
    segments: readonly string[],
    make: boolean,
    work: (path: string, handle: FileHandle | undefined) => Promise<Value>,
  ): Promise<Value> {
    const folder = await this.#acquire(segments, make);
    try {
      return await work(folder.path, folder.handle);
    } finally {
      await release(folder);
    }
  }

  async close(): Promise<void> {
    for (const key of this.#open.keys()) this.#drop(key);
    await Promise.all(this.#closing);
  }

  async #acquire(segments: readonly string[], make: boolean): Promise<OpenFolder> {
    const key = segments.join('/');
    const known = this.#open.get(key);
    const opening = known ?? this.#openFolder(segments, make);
    this.#open.delete(key);
    this.#open.set(key, opening);
    try {
      const folder = await opening;
      // The folder was evicted in the same turn in which it was opened.
      if (!folder.isCached) return await this.#acquire(segments, make);
      folder.users += 1;
      while (this.#open.size > maxCachedFolders) this.#drop(this.#open.keys().next().value!);
      return folder;
    } catch (error) {
      if (this.#open.get(key) === opening) this.#open.delete(key);
      throw error;
    }
  }

  /** Closes a folder when its last user is done. */
  #drop(key: string): void {
    const opening = this.#open.get(key)!;
    this.#open.delete(key);
    const closing = abort(opening).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async #openFolder(segments: readonly string[], make: boolean): Promise<OpenFolder> {
    if (segments.length === 0) return this.#openChild(this.#root, '');
    return this.use(segments.slice(0, -1), make, async (parent) => {
      const path = join(parent, segments.at(-1)!);
      const shown = segments.join('/');
      if (make) await mkdir(path).catch((error: unknown) => throwUnlessExists(error, shown));
      return this.#openChild(path, shown);
    });
  }

  async #openChild(path: string, shown: string): Promise<OpenFolder> {
    if (this.#byDescriptor) {
      const handle = await open(path, openFlags.folder).catch(async (error: unknown) => {
        await assertNoLink(path, shown);
        throw toArchiveError(error, quote(shown));
      });
      return { path: `${descriptorFolder}/${handle.fd}`, handle, users: 0, isCached: true };
    }
    await assertNoLink(path, shown);
    const real = await realpath(path);
    if (real !== this.#root && !real.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep))
      throw symlinkError(shown);
    return { path: real, handle: undefined, users: 0, isCached: true };
  }
}

async function assertNoLink(path: string, shown: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isSymbolicLink() === true) throw symlinkError(shown);
}

const symlinkError = (shown: string): ArchiveError =>
  new ArchiveError(
    'unsafe',
    `${quote(shown)} in the destination is a symbolic link, and files are not extracted through links. Delete it, or extract to its target`,
  );

function throwUnlessExists(error: unknown, shown: string): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toArchiveError(error, quote(shown));
}

async function abort(opening: Promise<OpenFolder>): Promise<void> {
  const folder = await opening.catch(() => undefined);
  if (folder === undefined) return;
  folder.isCached = false;
  folder.users += 1;
  await release(folder);
}

async function release(folder: OpenFolder): Promise<void> {
  folder.users -= 1;
  if (folder.users === 0 && !folder.isCached) await folder.handle?.close();
}

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** Undefined on Windows, although the types say otherwise. */
const optional: Readonly<Record<string, number | undefined>> = constants;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = optional;

/**
 * Flags for opening files and folders. Except for the first two, none follows a symbolic link in the last path
 * segment.
 */
export const openFlags = {
  /** O_NONBLOCK: opening a pipe instead of a file must not block until a writer opens it. */
  read: O_RDONLY | O_NONBLOCK,
  /** A new file that can be read back; fails if the path exists. */
  createAndRead: O_RDWR | O_CREAT | O_EXCL,
  readUnlinked: O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
} as const;

/** Whether folders can be opened, so that names can be looked up relative to them. */
const canOpenFolders = O_DIRECTORY !== 0;
