import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { toAppError } from '../base/errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LoadedBase } from './base-file.ts';
import { markFile } from './file-mark.ts';
import { isLarge } from '../loading/load-in-thread.ts';
import { loadOverBase, loadOverBaseInThread, type SpecFile } from './read-spec.ts';
import { readText } from './read-text.ts';

/** A file of the workflow folder. */
export interface LibraryEntry {
  /** Base name without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly file: string;
  readonly spec: SpecFile;
  /**
   * While a large file is loaded in a thread: resolves when that has ended. Until then `spec` has the text of the file,
   * the workflows of its text before, and a diagnostic that says so.
   */
  readonly loading?: Promise<void>;
}

/** What a file was loaded to, and from what. */
interface KnownFile {
  readonly stamp: string;
  readonly base: LoadedBase | undefined;
  readonly entry: LibraryEntry;
}

/** A file that is loaded in a thread, or has been. */
interface LargeFile {
  readonly text: string;
  readonly base: LoadedBase | undefined;
  entry: LibraryEntry;
}

/** Workflow files, read again only when they, or the base configuration, have changed. */
export class LoadedFiles {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onLoaded: (file: string) => void;
  readonly #loaded = new Map<string, KnownFile>();
  readonly #large = new Map<string, LargeFile>();

  /** @param onLoaded called when a file has been loaded in a thread */
  constructor(clock: Pick<Clock, 'now'>, onLoaded: (file: string) => void = () => {}) {
    this.#clock = clock;
    this.#onLoaded = onLoaded;
  }

  /** What a file is now: the same object as long as nothing has changed. Undefined for what is no file. */
  load(file: string, base: LoadedBase | undefined): LibraryEntry | undefined {
    const mark = markFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) {
      this.forget(file);
      return undefined;
    }
    const { stamp, isFresh } = mark;
    const known = this.#loaded.get(file);
    if (known?.stamp === stamp && known.base === base) return known.entry;
    const entry = this.#read(file, base, known?.entry);
    if (entry === undefined) return undefined;
    if (isFresh || entry.loading !== undefined) this.#loaded.delete(file);
    else this.#loaded.set(file, { stamp, base, entry });
    return entry;
  }

  /** Whether the mark of a file would tell of any change since it was loaded. */
  isSettled(file: string): boolean {
    return this.#loaded.has(file);
  }

  forget(file: string): void {
    this.#loaded.delete(file);
    this.#large.delete(file);
  }

  /** One file that cannot be read must not hide the others; undefined when it has just been removed. */
  #read(file: string, base: LoadedBase | undefined, before?: LibraryEntry): LibraryEntry | undefined {
    const fileName = path.basename(file, path.extname(file));
    try {
      const { text, fault } = readText(file);
      if (fault !== undefined) return { fileName, file, spec: { text, workflows: [], diagnostics: [fault] } };
      if (isLarge(text)) return this.#readLarge({ fileName, file }, text, base, before);
      this.#large.delete(file);
      return { fileName, file, spec: loadOverBase({ text, file }, base) };
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'not_found') return undefined;
      return { fileName, file, spec: { text: '', workflows: [], diagnostics: [faultOf(file, message)] } };
    }
  }

  #readLarge(
    place: Pick<LibraryEntry, 'fileName' | 'file'>,
    text: string,
    base: LoadedBase | undefined,
    before: LibraryEntry | undefined,
  ): LibraryEntry {
    const { file } = place;
    const known = this.#large.get(file);
    if (known?.text === text && known.base === base) return known.entry;
    const { workflows = [] } = (known?.entry ?? before)?.spec ?? {};
    const severity = workflows.length > 0 ? 'warning' : 'error';
    const diagnostics = [{ ...faultOf(file, 'This file is being checked.'), severity } as const];
    const finish = (spec: SpecFile): void => {
      large.entry = { ...place, spec };
      if (this.#large.get(file) === large) this.#onLoaded(file);
    };
    const loading = loadOverBaseInThread({ text, file }, base).then(finish, (thrown: unknown) =>
      finish({ text, workflows: [], diagnostics: [faultOf(file, toAppError(thrown).message)] }),
    );
    const large: LargeFile = {
      text,
      base,
      entry: { ...place, spec: { text, workflows, diagnostics }, loading },
    };
    this.#large.set(file, large);
    return large.entry;
  }
}

const faultOf = (file: string, message: string): Diagnostic => ({
  severity: 'error',
  message,
  file,
  line: 1,
  column: 1,
  path: '',
});
