import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import type { BaseFile, LoadedBase } from './base-file.ts';
import { markFile } from './file-mark.ts';
import { loadOverBase, readSpecFile, type SpecFile } from './read-spec.ts';
import { createFile, removeFile, renameFile, replaceFile } from './write-file.ts';

/** A file of the workflow folder. */
export interface LibraryEntry {
  /** Base name without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly file: string;
  readonly spec: SpecFile;
}

/** What a file was loaded to, and from what. */
interface KnownFile {
  readonly stamp: string;
  readonly base: LoadedBase | undefined;
  readonly entry: LibraryEntry;
}

const extensions = ['.yaml', '.yml'];

/** The workflow folder of a home. Files are read again only when they, or the base configuration, have changed. */
export class WorkflowLibrary {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #base: BaseFile | undefined;
  readonly #loaded = new Map<string, KnownFile>();

  /** @param base what the workflows build on; nothing when absent */
  constructor(folder: string, clock: Pick<Clock, 'now'>, base?: BaseFile) {
    this.#folder = folder;
    this.#clock = clock;
    this.#base = base;
  }

  /** Every workflow file, by name; broken ones included. Throws `home_unusable` when the folder cannot be read. */
  list(): LibraryEntry[] {
    const names = this.#fileNames();
    const present = new Set(names.map((name) => path.join(this.#folder, name)));
    for (const file of this.#loaded.keys()) if (!present.has(file)) this.#loaded.delete(file);
    const base = this.#base?.read();
    return names
      .map((name) => this.#load(path.join(this.#folder, name), base))
      .filter((entry) => entry !== undefined);
  }

  /** One workflow by file name. Throws `not_found`. */
  get(fileName: string): LibraryEntry {
    for (const extension of extensions) {
      const entry = this.#load(path.join(this.#folder, fileName + extension));
      if (entry !== undefined) return entry;
    }
    throw new AppError('not_found', `There is no workflow "${fileName}" in ${this.#folder}`);
  }

  /** The file with this name or, failing that, the one whose workflow has it. */
  findByName(name: string): LibraryEntry | undefined {
    const direct = extensions
      .map((extension) => path.join(this.#folder, name + extension))
      .find((file) => existsSync(file));
    if (direct !== undefined) return this.#load(direct);
    return this.list().find((entry) => entry.spec.workflows[0]?.name === name);
  }

  /** A text as it would be loaded from a file; what is wrong with the base configuration is left out. */
  check(text: string, file?: string): SpecFile {
    const { config, text: baseText } = this.#base?.read() ?? {};
    return loadOverBase({ text, file }, { config, text: baseText, diagnostics: [] });
  }

  /** Where a new file of this name would be. */
  placeOf(fileName: string): string {
    return path.join(this.#folder, fileName + extensions[0]);
  }

  /** Where the file of this name is, or would be. */
  fileOf(fileName: string): string {
    const files = extensions.map((extension) => path.join(this.#folder, fileName + extension));
    return files.find((file) => existsSync(file)) ?? this.placeOf(fileName);
  }

  /** Adds a file. Throws `already_exists`, `home_unusable` or `storage_full`. */
  create(fileName: string, text: string): void {
    const files = extensions.map((extension) => path.join(this.#folder, fileName + extension));
    this.#refuseTaken(fileName, files);
    createFile(files[0]!, text);
  }

  /** Replaces the text of a file. Throws `not_found`, `home_unusable` or `storage_full`. */
  replace(fileName: string, text: string): void {
    const { file } = this.get(fileName);
    replaceFile(file, text);
    this.#loaded.delete(file);
  }

  /** Gives a file another name; its ending stays. Throws `not_found`, `already_exists` or `home_unusable`. */
  rename(fileName: string, newFileName: string): void {
    const { file } = this.get(fileName);
    const extension = path.extname(file);
    const others = extensions.filter((other) => other !== extension);
    this.#refuseTaken(
      newFileName,
      others.map((other) => path.join(this.#folder, newFileName + other)),
    );
    renameFile(file, path.join(this.#folder, newFileName + extension));
  }

  /** Removes a file. Throws `not_found` or `home_unusable`. */
  remove(fileName: string): void {
    removeFile(this.get(fileName).file);
  }

  #refuseTaken(fileName: string, files: readonly string[]): void {
    if (!files.some((file) => existsSync(file))) return;
    throw new AppError('already_exists', `There is a workflow "${fileName}" already. Choose another name.`);
  }

  #fileNames(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => extensions.includes(path.extname(name)) && !name.startsWith('.'))
        .toSorted((left, right) => (left < right ? -1 : 1));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new AppError('home_unusable', `The workflow folder ${this.#folder} cannot be read`, {
        cause: thrown,
      });
    }
  }

  #load(file: string, base = this.#base?.read()): LibraryEntry | undefined {
    const mark = markFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) return undefined;
    const { stamp, isFresh } = mark;
    const known = this.#loaded.get(file);
    if (known?.stamp === stamp && known.base === base) return known.entry;
    const fileName = path.basename(file, path.extname(file));
    const spec = readOrReport(file, base);
    if (spec === undefined) return undefined;
    const entry = { fileName, file, spec };
    if (isFresh) this.#loaded.delete(file);
    else this.#loaded.set(file, { stamp, base, entry });
    return entry;
  }
}

/** One file that cannot be read must not hide the others; undefined when it has just been removed. */
function readOrReport(file: string, base: LoadedBase | undefined): SpecFile | undefined {
  try {
    return readSpecFile(file, base);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code === 'not_found') return undefined;
    return {
      text: '',
      workflows: [],
      diagnostics: [{ severity: 'error', message, file, line: 1, column: 1, path: '' }],
    };
  }
}
