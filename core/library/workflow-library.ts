import { existsSync, readdirSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { readSpecFile, type SpecFile } from './read-spec.ts';

/** A file of the workflow folder. */
export interface LibraryEntry {
  /** Base name without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly file: string;
  readonly spec: SpecFile;
}

/** Longer than the coarsest clock of a common file system (FAT: two seconds). */
const freshMs = 2000;

const extensions = ['.yaml', '.yml'];

/** The workflow folder of a home. Files are read again only when they have changed. */
export class WorkflowLibrary {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #loaded = new Map<string, { stamp: string; entry: LibraryEntry }>();

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder;
    this.#clock = clock;
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
    const facts = readFacts(file);
    // Reading a pipe would wait for its writer, for ever perhaps.
    if (facts === undefined || !facts.isFile()) return undefined;
    // Two changes within one tick of the file system's clock look alike, so what is that fresh is not kept.
    const isFresh = this.#clock.now() - facts.mtimeMs < freshMs;
    const stamp = `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
    const known = this.#loaded.get(file);
    if (known?.stamp === stamp) return known.entry;
    const fileName = path.basename(file, path.extname(file));
    const spec = readOrReport(file);
    if (spec === undefined) return undefined;
    const entry = { fileName, file, spec };
    if (isFresh) this.#loaded.delete(file);
    else this.#loaded.set(file, { stamp, entry });
    return entry;
  }
}

/** Undefined for what is not there, a link that leads nowhere or to itself included. */
function readFacts(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** One file that cannot be read must not hide the others; undefined when it has just been removed. */
function readOrReport(file: string): SpecFile | undefined {
  try {
    return readSpecFile(file);
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
