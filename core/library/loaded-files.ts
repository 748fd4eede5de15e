import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { toAppError } from '../base/errors.ts';
import type { LoadedBase } from './base-file.ts';
import { markFile } from './file-mark.ts';
import { readSpecFile, type SpecFile } from './read-spec.ts';

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

/** Workflow files, read again only when they, or the base configuration, have changed. */
export class LoadedFiles {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #loaded = new Map<string, KnownFile>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** What a file is now: the same object as long as nothing has changed. Undefined for what is no file. */
  load(file: string, base: LoadedBase | undefined): LibraryEntry | undefined {
    const mark = markFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) {
      this.#loaded.delete(file);
      return undefined;
    }
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

  /** Whether the mark of a file would tell of any change since it was loaded. */
  isSettled(file: string): boolean {
    return this.#loaded.has(file);
  }

  forget(file: string): void {
    this.#loaded.delete(file);
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
