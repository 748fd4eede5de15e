import { lstatSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { LoadedBase } from './base-file.ts';
import { comparePaths, getFileName, isWorkflowName, readFolderTree, type FolderTree } from './folder-tree.ts';
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
