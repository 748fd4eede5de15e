import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { toAppError } from '../base/errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LoadedBase } from './base-file.ts';
import { markFile } from './file-fingerprint.ts';
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
   * Resolves when a large file has been loaded in a worker thread. Until then, `spec` has the text of the file, the
   * workflows of the previous text, and a diagnostic that says so.
   */
  readonly loading?: Promise<void>;
}

/** The result of loading a file, and its state at that time. */
interface CachedFile {
  readonly text: string;
  readonly base: LoadedBase | undefined;
  /** State of the file with this text; undefined while a later change might have the same state. */
  stamp?: string | undefined;
  entry: LibraryEntry;
}

/**
 * Amount of text that is loaded per turn of the event loop, in UTF-16 code units: 50 ms on a slow machine. Each file
 * counts some more.
 */
const TURN_CHARACTERS = 200_000;
const FILE_CHARACTERS = 2000;

/** Cache of workflow files, which are read again only after they or the base configuration have changed. */
export class LoadedFiles {
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #onLoaded: (file: string) => void;
  readonly #known = new Map<string, CachedFile>();
  #isSpread = false;
  /** Amount of text that this turn may still load; undefined before its first file. */
  #left: number | undefined;
  readonly #waiting: (() => void)[] = [];

  /** @param onLoaded called when a file was loaded in a worker thread or in a later turn */
  constructor(clock: Pick<Clock, 'now' | 'soon'>, onLoaded: (file: string) => void = () => {}) {
    this.#clock = clock;
    this.#onLoaded = onLoaded;
  }

  /** Spreads the loading of many small files over several turns of the event loop from now on. */
  spread(): void {
    this.#isSpread = true;
  }

  /**
   * Returns the current entry of a file: the same object if nothing has changed. Returns undefined if it is not a
   * file.
   */
  load(file: string, base: LoadedBase | undefined): LibraryEntry | undefined {
    const mark = markFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) {
      this.forget(file);
      return undefined;
    }
    const { stamp, isFresh } = mark;
    const known = this.#known.get(file);
    if (known?.stamp === stamp && known.base === base) return known.entry;
    const { text, entry } = this.#read(file, base, known);
    if (entry === undefined) this.forget(file);
    // An unreadable file is read again each time.
    if (entry === undefined || text === undefined) return entry;
    const isSettled = !isFresh && entry.loading === undefined;
    const next = known?.entry === entry ? known : { text, base, entry };
    next.stamp = isSettled ? stamp : undefined;
    this.#known.set(file, next);
    return entry;
  }

  /** Whether the fingerprint of a file would show any change since it was loaded. */
  isSettled(file: string): boolean {
    return this.#known.get(file)?.stamp !== undefined;
  }

  forget(file: string): void {
    this.#known.delete(file);
  }

  /** Reads a file. An unreadable file must not hide the others; returns no entry if it was just deleted. */
  #read(
    file: string,
    base: LoadedBase | undefined,
    known: CachedFile | undefined,
  ): { readonly text?: string; readonly entry: LibraryEntry | undefined } {
    const place = { fileName: path.basename(file, path.extname(file)), file };
    try {
      const { text, fault } = readText(file);
      if (fault !== undefined)
        return { text, entry: { ...place, spec: { text, workflows: [], diagnostics: [fault] } } };
      if (known?.text === text && known.base === base) return { text, entry: known.entry };
      if (isLarge(text))
        return {
          text,
          entry: this.#loadLater(place, text, known, loadOverBaseInThread({ text, file }, base)),
        };
      const load = (): SpecFile => loadOverBase({ text, file }, base);
      if (this.#take(text)) return { text, entry: { ...place, spec: load() } };
      return { text, entry: this.#loadLater(place, text, known, this.#wait(text).then(load)) };
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === 'not_found') return { entry: undefined };
      return {
        entry: { ...place, spec: { text: '', workflows: [], diagnostics: [faultOf(file, message)] } },
      };
    }
  }

  /** Keeps the workflows of the previous text until the file is loaded. */
  #loadLater(
    place: Pick<LibraryEntry, 'fileName' | 'file'>,
    text: string,
    before: CachedFile | undefined,
    loaded: Promise<SpecFile>,
  ): LibraryEntry {
    const { file } = place;
    const { workflows = [] } = before?.entry.spec ?? {};
    const severity = workflows.length > 0 ? 'warning' : 'error';
    const diagnostics = [{ ...faultOf(file, 'This file is being checked.'), severity } as const];
    const finish = (spec: SpecFile): void => {
      const known = this.#known.get(file);
      if (known?.entry !== entry) return;
      known.entry = { ...place, spec };
      this.#onLoaded(file);
    };
    const loading = loaded.then(finish, (error: unknown) =>
      finish({ text, workflows: [], diagnostics: [faultOf(file, toAppError(error).message)] }),
    );
    const entry: LibraryEntry = { ...place, spec: { text, workflows, diagnostics }, loading };
    return entry;
  }

  /** Whether this turn may load one more text. */
  #take(text: string): boolean {
    if (!this.#isSpread) return true;
    if (this.#left === undefined) this.#clock.soon(() => this.#beginTick());
    this.#left ??= TURN_CHARACTERS;
    if (this.#left <= 0) return false;
    this.#left -= FILE_CHARACTERS + text.length;
    return true;
  }

  #wait(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.#take(text);
        resolve();
      });
    });
  }

  #beginTick(): void {
    this.#left = undefined;
    while (this.#waiting.length > 0 && (this.#left ?? 1) > 0) this.#waiting.shift()!();
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
