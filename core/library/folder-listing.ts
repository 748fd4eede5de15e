import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/errors.ts';
import type { LoadedBase } from './base-file.ts';
import type { LibraryEntry, LoadedFiles } from './loaded-files.ts';

/** Endings of workflow files, in the order in which they are looked for. */
export const workflowExtensions = ['.yaml', '.yml'];

/** The workflow files of a folder as they were when they were last looked at. */
export class FolderListing {
  readonly #folder: string;
  readonly #files: LoadedFiles;
  /** By name with its ending. */
  readonly #entries = new Map<string, LibraryEntry>();
  /** Names of files that have to be looked at each time: just changed, or links, whose targets lie elsewhere. */
  readonly #doubtful = new Set<string>();
  #base: LoadedBase | undefined;
  #sorted: readonly LibraryEntry[] | undefined;
  #hasLooked = false;

  constructor(folder: string, files: LoadedFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** By name; the same list as the last time, unless something has changed. */
  get entries(): readonly LibraryEntry[] {
    return (this.#sorted ??= [...this.#entries]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => entry));
  }

  /** Takes note of what a file was just loaded to. */
  note(file: string, entry: LibraryEntry | undefined): void {
    if (entry !== this.#entries.get(path.basename(file))) this.doubt(file);
  }

  /** Has a file looked at by the next {@link look}. */
  doubt(file: string): void {
    this.#doubtful.add(path.basename(file));
  }

  /**
   * Looks at files again. Throws `home_unusable` when the folder cannot be read.
   * @param changed names of those that may have changed; every file when absent
   * @returns the files of which there is another text, or that came or went, by `fileName`
   */
  look(base: LoadedBase | undefined, changed?: ReadonlySet<string>): string[] {
    const names =
      changed === undefined || base !== this.#base
        ? this.#readNames()
        : new Map(
            [...changed, ...this.#doubtful].filter(isWorkflowName).map((name) => [name, this.#isPlain(name)]),
          );
    this.#base = base;
    const differing = [...names].filter(([name, isPlain]) => this.#lookAt(name, isPlain));
    if (this.#hasLooked) return differing.map(([name]) => path.basename(name, path.extname(name)));
    this.#hasLooked = true;
    return [];
  }

  /** Whether there is another text in the file than before, or none. */
  #lookAt(name: string, isPlain: boolean | undefined): boolean {
    const file = path.join(this.#folder, name);
    const before = this.#entries.get(name);
    if (isPlain === undefined) this.#files.forget(file);
    const entry = isPlain === undefined ? undefined : this.#files.load(file, this.#base);
    if (isPlain === undefined || (isPlain && this.#files.isSettled(file))) this.#doubtful.delete(name);
    else this.#doubtful.add(name);
    if (entry === before) return false;
    if (entry === undefined) this.#entries.delete(name);
    else this.#entries.set(name, entry);
    this.#sorted = undefined;
    // What was being loaded now has other workflows.
    return entry?.spec.text !== before?.spec.text || before?.loading !== undefined;
  }

  /** All names, each with whether it is of a file and no link to one; undefined for those that are gone. */
  #readNames(): Map<string, boolean | undefined> {
    const names = new Map<string, boolean | undefined>();
    for (const name of this.#entries.keys()) names.set(name, undefined);
    for (const name of this.#doubtful) names.set(name, undefined);
    for (const found of this.#readFolder())
      if (isWorkflowName(found.name)) names.set(found.name, found.isFile());
    return names;
  }

  #readFolder() {
    try {
      return readdirSync(this.#folder, { withFileTypes: true });
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new AppError('home_unusable', `Cannot read the workflow folder ${this.#folder}.`, {
        cause: thrown,
      });
    }
  }

  #isPlain(name: string): boolean | undefined {
    return lstatSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.isFile();
  }
}

const isWorkflowName = (name: string): boolean =>
  workflowExtensions.includes(path.extname(name)) && !name.startsWith('.');
