import { lstatSync, existsSync, readdirSync, rmdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { LoadedBase } from './base-file.ts';
import type { LibraryEntry, LoadedFiles } from './loaded-files.ts';

/** The workflow files of a folder and its subfolders as of the last check. */
export class FolderListing {
  readonly #folder: string;
  readonly #files: LoadedFiles;
  /** By path relative to the folder. */
  readonly #entries = new Map<string, LibraryEntry>();
  /** Paths of files that must be checked each time: recently changed, or links, whose targets are elsewhere. */
  readonly #uncertain = new Set<string>();
  #folders: readonly string[] = [''];
  #base: LoadedBase | undefined;
  #byName: ReadonlyMap<string, readonly LibraryEntry[]> | undefined;
  #sorted: readonly LibraryEntry[] | undefined;
  #hasScanned = false;

  constructor(folder: string, files: LoadedFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /**
   * One entry for each file name, sorted by it; the same list as before if nothing has changed. Of several files with
   * the same name, the first one in the order of {@link FolderTree.files} counts.
   */
  get entries(): readonly LibraryEntry[] {
    return (this.#sorted ??= [...this.#index().values()]
      .map(([first]) => first!)
      .toSorted((a, b) => (path.basename(a.file) < path.basename(b.file) ? -1 : 1)));
  }

  /** Folders as of the last check of all files; relative, `''` for the folder itself. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Returns the files with this name: the one that counts, then those that are ignored. */
  find(fileName: string): readonly LibraryEntry[] {
    return this.#index().get(fileName) ?? [];
  }

  /** Stores the result of loading a file. */
  note(file: string, entry: LibraryEntry | undefined): void {
    if (entry !== this.#entries.get(this.#getName(file))) this.recheck(file);
  }

  /** Makes the next {@link scan} check a file. */
  recheck(file: string): void {
    this.#uncertain.add(this.#getName(file));
  }

  /**
   * Checks files again.
   * @param changed relative paths of files that may have changed; all files if absent
   * @returns the names (`fileName`) of the files that were changed, created or deleted
   * @throws `home_unusable` if the folder cannot be read
   */
  scan(base: LoadedBase | undefined, changed?: ReadonlySet<string>): string[] {
    const names =
      changed === undefined || base !== this.#base
        ? this.#readNames()
        : new Map(
            [...changed, ...this.#uncertain]
              .filter((name) => isWorkflowName(path.basename(name)))
              .map((name) => [name, this.#isPlain(name)]),
          );
    this.#base = base;
    const differing = [...names].filter(([name, isPlain]) => this.#checkFile(name, isPlain));
    if (this.#hasScanned) return differing.map(([name]) => getFileName(name));
    this.#hasScanned = true;
    return [];
  }

  /** Checks a file. Returns whether its text has changed. */
  #checkFile(name: string, isPlain: boolean | undefined): boolean {
    const file = path.join(this.#folder, name);
    const before = this.#entries.get(name);
    if (isPlain === undefined) this.#files.forget(file);
    const entry = isPlain === undefined ? undefined : this.#files.load(file, this.#base);
    if (isPlain === undefined || (isPlain && this.#files.isUpToDate(file))) this.#uncertain.delete(name);
    else this.#uncertain.add(name);
    if (entry === before) return false;
    if (entry === undefined) this.#entries.delete(name);
    else this.#entries.set(name, entry);
    this.#sorted = undefined;
    this.#byName = undefined;
    // A file that is being loaded now has different workflows.
    return entry?.spec.text !== before?.spec.text || before?.loading !== undefined;
  }

  #index(): ReadonlyMap<string, readonly LibraryEntry[]> {
    return (this.#byName ??= Map.groupBy(
      [...this.#entries].toSorted(([a], [b]) => comparePaths(a, b)).map(([, entry]) => entry),
      ({ fileName }) => fileName,
    ));
  }

  /** Returns all paths, each with whether it is a plain file and not a link; undefined for deleted files. */
  #readNames(): Map<string, boolean | undefined> {
    const names = new Map<string, boolean | undefined>();
    for (const name of this.#entries.keys()) names.set(name, undefined);
    for (const name of this.#uncertain) names.set(name, undefined);
    const { folders, files } = this.#readTree();
    this.#folders = folders;
    for (const [name, isPlain] of files) names.set(name, isPlain);
    return names;
  }

  #readTree(): FolderTree {
    try {
      return readFolderTree(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { folders: [''], files: new Map() };
      throw new AppError('home_unusable', `Cannot read the workflow folder ${this.#folder}.`, {
        cause: error,
      });
    }
  }

  #isPlain(name: string): boolean | undefined {
    return lstatSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.isFile();
  }

  #getName(file: string): string {
    return path.relative(this.#folder, file).replaceAll(path.sep, '/');
  }
}

/** Extensions of workflow files, in order of precedence. */
export const workflowExtensions = ['.yaml', '.yml'];

/** Levels of folders that are read; a bind mount can make a folder contain itself. */
const maxDepth = 16;

/** The workflow files in a folder and its subfolders. Paths are relative to the folder, separated by `/`. */
interface FolderTree {
  /** Folders that were read, `''` being the folder itself. */
  readonly folders: readonly string[];
  /** Files in order of precedence, each with whether it is a plain file and not a link. */
  readonly files: ReadonlyMap<string, boolean>;
}

/**
 * Reads the names of workflow files. Hidden files and folders, `node_modules` and links to folders are skipped, and so
 * is a subfolder that cannot be read.
 * @throws the error of the file system if the folder itself cannot be read
 */
export function readFolderTree(root: string): FolderTree {
  const folders: string[] = [];
  const files = new Map<string, boolean>();
  let level = [''];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      const found = readFolder(root, folder);
      if (found === undefined) continue;
      folders.push(folder);
      for (const entry of found) {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isWorkflowName(entry.name) && !entry.isDirectory()) files.set(name, entry.isFile());
        else if (entry.isDirectory() && isVisibleFolder(entry.name)) below.push(name);
      }
    }
    level = below;
  }
  const sorted = [...files].toSorted(([a], [b]) => comparePaths(a, b));
  return { folders, files: new Map(sorted) };
}

/** Orders paths by precedence: files of outer folders come first. */
function comparePaths(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth || (a < b ? -1 : 1);
}

function readFolder(root: string, folder: string): Dirent[] | undefined {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === '') throw error;
    return undefined;
  }
}

const isVisibleFolder = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

const isWorkflowName = (name: string): boolean =>
  workflowExtensions.includes(path.extname(name)) && !name.startsWith('.');

/** Returns the name of a workflow file without its folder and extension. */
export const getFileName = (file: string): string => path.basename(file, path.extname(file));

/** Returns the folder of a file, relative to `root` and separated by `/`; `''` for `root` itself. */
export const getFolder = (root: string, file: string): string =>
  path.relative(root, path.dirname(file)).replaceAll(path.sep, '/');

/**
 * Returns the absolute path of the workflow file of this name: in the folder itself, else in a subfolder. Undefined if
 * there is none.
 */
export function findInTree(root: string, fileName: string): string | undefined {
  const direct = workflowExtensions
    .map((extension) => path.join(root, fileName + extension))
    .find((file) => existsSync(file));
  if (direct !== undefined) return direct;
  for (const file of readFilesIfAny(root)) if (getFileName(file) === fileName) return path.join(root, file);
  return undefined;
}

function readFilesIfAny(root: string): Iterable<string> {
  try {
    return readFolderTree(root).files.keys();
  } catch {
    return [];
  }
}

/** Returns the folders of a tree; only the folder itself if it cannot be read. */
export function listFolders(root: string): readonly string[] {
  try {
    return readFolderTree(root).folders;
  } catch {
    return [''];
  }
}

/** Returns the current names of the workflow files in a folder and its subfolders, including unreadable ones. */
export const listNames = (root: string): Set<string> =>
  new Set(Array.from(readFilesIfAny(root), getFileName));

/** Deletes a subfolder, and the folders around it, as long as they are empty. */
export function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== root && current.startsWith(root); current = path.dirname(current))
    try {
      rmdirSync(current);
    } catch {
      return;
    }
}
