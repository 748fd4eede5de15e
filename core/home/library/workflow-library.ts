import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import { loadInThread, type LoadPurpose } from './load-in-thread.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { BaseFile } from './base-file.ts';
import {
  FolderListing,
  findInTree,
  getFolder,
  removeEmptyFolders,
  workflowExtensions,
} from './folder-listing.ts';
import { fullCheckIntervalMs, TreeWatch } from './folder-watch.ts';
import { type LibraryEntry, LoadedFiles } from './loaded-files.ts';
import { loadWithBaseInThread, type SpecFile } from './read-spec.ts';
import { readText } from './read-text.ts';
import { createFile, makeFolder, removeFile, renameFile, replaceFile } from '../write-file.ts';

export type { LibraryEntry } from './loaded-files.ts';

/** A base configuration other than that of the home; `file` is its name in messages. */
interface BaseConfigText {
  readonly text: string;
  readonly file?: string;
}

type LibraryClock = Pick<Clock, 'now' | 'monotonic' | 'after' | 'every' | 'soon'>;

/** Milliseconds that a burst of changes may last before it is processed: editors write a file in several steps. */
const quietMs = 50;

/**
 * The workflow folder of a home, with its subfolders. A file name is unique in all of them. Files are read again only
 * after they or the base configuration have changed; in a watched folder, they are only checked after events. Other
 * files and texts are loaded as if they were in it; large ones in a worker thread.
 */
export class WorkflowLibrary {
  readonly #folder: string;
  readonly #clock: LibraryClock;
  readonly #base: BaseFile | undefined;
  readonly #files: LoadedFiles;
  readonly #listing: FolderListing;
  readonly #changes = new Emitter<string>(() => {});
  #watch: TreeWatch | undefined;
  #stopPolling: Dispose | undefined;
  #cancelCheck: Dispose | undefined;

  /** @param base base configuration of the workflows; none if absent */
  constructor(folder: string, clock: LibraryClock, base?: BaseFile) {
    this.#folder = folder;
    this.#clock = clock;
    this.#base = base;
    this.#files = new LoadedFiles(clock, (file) => {
      this.#listing.recheck(file);
      this.#scheduleCheck();
    });
    this.#listing = new FolderListing(folder, this.#files);
  }

  /**
   * Watches the folder until {@link close}, for a long-running process. Changes by other programs are in the list some
   * milliseconds after the write, in rare cases (`FolderWatch`) after two seconds. Many files are loaded over several
   * turns of the event loop.
   */
  watch(): void {
    this.#files.loadIncrementally();
    this.#watch ??= new TreeWatch(this.#folder, this.#clock, () => this.#scheduleCheck());
  }

  /** Stops all watching. */
  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#cancelCheck?.();
    this.#stopPolling?.();
    this.#stopPolling = undefined;
  }

  /**
   * Calls the listener when a file was changed, created or deleted, by any program. Watches the folder from then on.
   * @param listener receives the file's `fileName`
   */
  onChange(listener: (fileName: string) => void): Dispose {
    this.watch();
    this.#checkIgnoringErrors();
    this.#stopPolling ??= this.#clock.every(fullCheckIntervalMs, () => this.#checkIgnoringErrors());
    const dispose = this.#changes.subscribe(listener);
    return () => {
      dispose();
      if (this.#changes.size > 0) return;
      this.#stopPolling?.();
      this.#stopPolling = undefined;
    };
  }

  /**
   * Lists every workflow file by name, including invalid ones. Returns the same list as before if nothing has changed.
   * @throws `home_unusable` if the folder cannot be read
   */
  list(): readonly LibraryEntry[] {
    const differing = this.#scan();
    const { entries } = this.#listing;
    for (const fileName of differing) this.#changes.emit(fileName);
    return entries;
  }

  /** Returns one workflow by file name. Rejects with `not_found`. */
  async get(fileName: string): Promise<LibraryEntry> {
    return this.#waitUntilLoaded(this.peek(fileName));
  }

  /**
   * Does the same as {@link get}, without waiting for a large file that is being loaded.
   * @throws `not_found`
   */
  peek(fileName: string): LibraryEntry {
    for (const extension of workflowExtensions) {
      const entry = this.#load(path.join(this.#folder, fileName + extension));
      if (entry !== undefined) return entry;
    }
    const load = (file: string | undefined) => (file === undefined ? undefined : this.#load(file));
    // The file may have moved since it was listed.
    const found = load(this.#listing.find(fileName)[0]?.file) ?? load(findInTree(this.#folder, fileName));
    if (found !== undefined) return found;
    // Only considers files that were already listed, because listing takes longer than this check.
    const listed = this.#listing.entries.filter((other) => other.fileName !== fileName);
    const nearest = findSimilarName(fileName, listed);
    const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    throw new AppError('not_found', `No workflow named "${fileName}" in ${this.#folder}.${guess}`);
  }

  /** Finds the file with this name, else the file whose workflow has this name. */
  async findByName(name: string): Promise<LibraryEntry | undefined> {
    const direct = findInTree(this.#folder, name);
    const isMeant = (entry: LibraryEntry): boolean => entry.spec.workflows[0]?.name === name;
    const entry = direct === undefined ? this.list().find(isMeant) : this.#load(direct);
    if (entry !== undefined) return this.#waitUntilLoaded(entry);
    return direct === undefined ? (await this.listLoaded()).find(isMeant) : undefined;
  }

  /** Does the same as {@link list}, after all files are loaded. */
  async listLoaded(): Promise<readonly LibraryEntry[]> {
    await Promise.all(this.list().flatMap(({ loading }) => loading ?? []));
    return this.list();
  }

  /**
   * Loads a text as if it were a file, without diagnostics of the base configuration. Rejects with
   * `too_many_requests`.
   */
  check(text: string, file?: string, purpose?: LoadPurpose): Promise<SpecFile> {
    const { config, text: baseText } = this.#base?.read() ?? {};
    return loadWithBaseInThread({ text, file }, { config, text: baseText, diagnostics: [] }, purpose);
  }

  /** Loads any file by absolute path. Rejects with `not_found` or `home_unusable`. */
  async read(file: string): Promise<SpecFile> {
    const { text, problem } = readText(file);
    if (problem !== undefined) return { file, text, workflows: [], diagnostics: [problem] };
    return loadWithBaseInThread({ text, file }, this.#base?.read());
  }

  /** Loads a text of the editor as if it were a file of the folder; the file may not exist. */
  async loadUnsaved(
    fileName: string,
    text: string,
    base?: BaseConfigText,
  ): Promise<SpecFile & { readonly isUnsaved: boolean }> {
    const file = this.getFilePath(fileName);
    const spec = await this.load(text, base, file);
    return { isUnsaved: !existsSync(file) || readText(file).text !== text, ...spec };
  }

  /**
   * Loads a text.
   * @param base instead of the base configuration of the home
   * @param file absolute path; absent for text without a file
   */
  async load(text: string, base?: BaseConfigText, file?: string): Promise<SpecFile> {
    if (base === undefined) return loadWithBaseInThread({ text, file }, this.#base?.read());
    const loaded = await loadInThread({ text, file, base: { file: 'base', ...base } });
    const { workflows, diagnostics, baseDiagnostics, hasBase } = loaded;
    return {
      file,
      text,
      baseText: hasBase ? base.text : undefined,
      workflows,
      diagnostics: [...diagnostics, ...baseDiagnostics],
    };
  }

  /** Returns the diagnostics of the base configuration. */
  checkBase(): readonly Diagnostic[] {
    return this.#base?.read().diagnostics ?? [];
  }

  /** Returns the path for a new file of this name. */
  newFilePath(fileName: string, folder = ''): string {
    return path.join(this.#folder, folder, fileName + workflowExtensions[0]);
  }

  /** Returns the path of the file of this name, whether or not it exists. */
  getFilePath(fileName: string): string {
    return findInTree(this.#folder, fileName) ?? this.newFilePath(fileName);
  }

  /** Returns the folder of a file, relative to the workflow folder and separated by `/`; `''` for that itself. */
  getFolder({ file }: Pick<LibraryEntry, 'file'>): string {
    return getFolder(this.#folder, file);
  }

  /** Returns the relative paths of other files with this name, which are ignored. */
  listIgnored(fileName: string): string[] {
    return this.#listing
      .find(fileName)
      .slice(1)
      .map(({ file }) => path.relative(this.#folder, file));
  }

  /**
   * Creates a file.
   * @param folder as of {@link getFolder}
   * @throws `already_exists`, `home_unusable` or `storage_full`
   */
  create(fileName: string, text: string, folder = '', extension = workflowExtensions[0]!): void {
    this.#assertNameFree(fileName);
    const file = path.join(this.#folder, folder, fileName + extension);
    createFile(file, text);
    this.#recordWrite(file);
  }

  /**
   * Replaces the text of a file.
   * @throws `not_found`, `home_unusable` or `storage_full`
   */
  replace(fileName: string, text: string): void {
    const { file } = this.peek(fileName);
    replaceFile(file, text);
    this.#recordWrite(file);
  }

  /**
   * Renames a file and keeps its folder and extension.
   * @throws `not_found`, `already_exists` or `home_unusable`
   */
  rename(fileName: string, newFileName: string): void {
    const { file } = this.peek(fileName);
    const newFile = path.join(path.dirname(file), newFileName + path.extname(file));
    // A case-insensitive file system finds the file itself.
    const isSameName = newFileName.toLowerCase() === fileName.toLowerCase();
    this.#assertNameFree(newFileName, isSameName ? newFile : undefined);
    renameFile(file, newFile);
    this.#recordWrite(file, newFile);
  }

  /**
   * Moves a file to another folder, which is created if necessary. An empty folder is deleted.
   * @param folder as of {@link getFolder}
   * @throws `not_found`, `already_exists` or `home_unusable`
   */
  move(fileName: string, folder: string): void {
    const { file } = this.peek(fileName);
    const newFile = path.join(this.#folder, folder, path.basename(file));
    if (newFile === file) return;
    makeFolder(path.dirname(newFile));
    renameFile(file, newFile);
    removeEmptyFolders(this.#folder, path.dirname(file));
    this.#recordWrite(file, newFile);
  }

  /**
   * Deletes a file, and its folder if that is empty then.
   * @throws `not_found` or `home_unusable`
   */
  remove(fileName: string): void {
    const { file } = this.peek(fileName);
    removeFile(file);
    removeEmptyFolders(this.#folder, path.dirname(file));
    this.#recordWrite(file);
  }

  /** @param except absolute path of a file that may have this name */
  #assertNameFree(fileName: string, except?: string): void {
    const found = findInTree(this.#folder, fileName);
    if (found === undefined || found === except) return;
    const folder = this.getFolder({ file: found });
    const place = folder === '' ? '' : ` in folder "${folder}"`;
    throw new AppError(
      'already_exists',
      `Workflow "${fileName}" already exists${place}. Choose another name.`,
    );
  }

  #load(file: string): LibraryEntry | undefined {
    const entry = this.#files.load(file, this.#base?.read());
    this.#listing.note(file, entry);
    return entry;
  }

  /** Resolves with the entry when it is loaded; a file that changes meanwhile is loaded again. */
  async #waitUntilLoaded(entry: LibraryEntry): Promise<LibraryEntry> {
    let current = entry;
    while (current.loading !== undefined) {
      await current.loading;
      current = this.#load(current.file) ?? { ...current, loading: undefined };
    }
    return current;
  }

  #scan(): readonly string[] {
    try {
      const differing = this.#listing.scan(this.#base?.read(), this.#watch?.takeChanges());
      if (this.#watch?.setFolders(this.#listing.folders) === true) this.#scheduleCheck();
      return differing;
    } catch (error) {
      // Pending events were not processed.
      this.#watch?.close();
      throw error;
    }
  }

  /** Makes the next list check a file that was just written. */
  #recordWrite(...files: string[]): void {
    for (const file of files) {
      this.#files.forget(file);
      this.#listing.recheck(file);
    }
    this.#scheduleCheck();
  }

  #scheduleCheck(): void {
    if (this.#changes.size === 0) return;
    this.#cancelCheck ??= this.#clock.after(quietMs, () => {
      this.#cancelCheck = undefined;
      this.#checkIgnoringErrors();
    });
  }

  /** Errors are ignored here, because the next list reports them. */
  #checkIgnoringErrors(): void {
    try {
      this.list();
    } catch {}
  }
}

/** Finds the file that a wrong name may mean: with its extension, by the name of its workflow, or with a typo. */
function findSimilarName(query: string, entries: readonly LibraryEntry[]): string | undefined {
  const bare = query.replace(/\.ya?ml$/, '');
  const meant =
    entries.find((entry) => entry.fileName === bare) ??
    entries.find((entry) => entry.spec.workflows[0]?.name === query);
  const names = entries.map(({ fileName }) => fileName);
  return meant?.fileName ?? findNearest(query, names);
}
