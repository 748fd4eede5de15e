import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/errors.ts';
import { readSpecFile, type SpecFile } from './read-spec.ts';

/** A file of the workflow folder. */
export interface LibraryEntry {
  /** Base name without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly file: string;
  readonly spec: SpecFile;
}

const extensions = ['.yaml', '.yml'];

/** The workflow folder of a home. Files are read again only when they have changed. */
export class WorkflowLibrary {
  readonly #folder: string;
  readonly #loaded = new Map<string, { stamp: string; entry: LibraryEntry }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Every workflow file, by name; broken ones included. Throws `home_unusable` when the folder cannot be read. */
  list(): LibraryEntry[] {
    const names = this.#fileNames();
    const present = new Set(names.map((name) => path.join(this.#folder, name)));
    for (const file of this.#loaded.keys()) if (!present.has(file)) this.#loaded.delete(file);
    return names
      .map((name) => this.#load(path.join(this.#folder, name)))
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

  #load(file: string): LibraryEntry | undefined {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts === undefined || facts.isDirectory()) return undefined;
    const stamp = `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
    const known = this.#loaded.get(file);
    if (known?.stamp === stamp) return known.entry;
    const fileName = path.basename(file, path.extname(file));
    const entry = { fileName, file, spec: readSpecFile(file) };
    this.#loaded.set(file, { stamp, entry });
    return entry;
  }
}
