import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { LoadedBase } from './base-file.ts';
import type { LibraryEntry, LoadedFiles } from './loaded-files.ts';

/** Extensions of workflow files, in order of precedence. */
export const workflowExtensions = ['.yaml', '.yml'];

/** The workflow files of a folder as of the last check. */
export class FolderListing {
  readonly #folder: string;
  readonly #files: LoadedFiles;
  /** By name with extension. */
  readonly #entries = new Map<string, LibraryEntry>();
  /** Names of files that must be checked each time: recently changed, or links, whose targets are elsewhere. */
  readonly #uncertain = new Set<string>();
  #base: LoadedBase | undefined;
  #sorted: readonly LibraryEntry[] | undefined;
  #hasScanned = false;

  constructor(folder: string, files: LoadedFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** By name; the same list as before if nothing has changed. */
  get entries(): readonly LibraryEntry[] {
    return (this.#sorted ??= [...this.#entries]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => entry));
  }

  /** Stores the result of loading a file. */
  note(file: string, entry: LibraryEntry | undefined): void {
    if (entry !== this.#entries.get(path.basename(file))) this.recheck(file);
  }

  /** Makes the next {@link scan} check a file. */
  recheck(file: string): void {
    this.#uncertain.add(path.basename(file));
  }

  /**
   * Checks files again.
   * @param changed names of files that may have changed; all files if absent
   * @returns the names (`fileName`) of the files that were changed, created or deleted
   * @throws `home_unusable` if the folder cannot be read
   */
  scan(base: LoadedBase | undefined, changed?: ReadonlySet<string>): string[] {
    const names =
      changed === undefined || base !== this.#base
        ? this.#readNames()
        : new Map(
            [...changed, ...this.#uncertain]
              .filter(isWorkflowName)
              .map((name) => [name, this.#isPlain(name)]),
          );
    this.#base = base;
    const differing = [...names].filter(([name, isPlain]) => this.#checkFile(name, isPlain));
    if (this.#hasScanned) return differing.map(([name]) => path.basename(name, path.extname(name)));
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
    // A file that is being loaded now has different workflows.
    return entry?.spec.text !== before?.spec.text || before?.loading !== undefined;
  }

  /** Returns all names, each with whether it is a plain file and not a link; undefined for deleted files. */
  #readNames(): Map<string, boolean | undefined> {
    const names = new Map<string, boolean | undefined>();
    for (const name of this.#entries.keys()) names.set(name, undefined);
    for (const name of this.#uncertain) names.set(name, undefined);
    for (const found of this.#readFolder())
      if (isWorkflowName(found.name)) names.set(found.name, found.isFile());
    return names;
  }

  #readFolder() {
    try {
      return readdirSync(this.#folder, { withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new AppError('home_unusable', `Cannot read the workflow folder ${this.#folder}.`, {
        cause: error,
      });
    }
  }

  #isPlain(name: string): boolean | undefined {
    return lstatSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.isFile();
  }
}

const isWorkflowName = (name: string): boolean =>
  workflowExtensions.includes(path.extname(name)) && !name.startsWith('.');
