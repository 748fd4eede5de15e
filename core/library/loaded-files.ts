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
  readonly text: string;
  readonly base: LoadedBase | undefined;
  /** Of the file with this text; undefined while a later change might look the same. */
  stamp?: string | undefined;
  entry: LibraryEntry;
}

/** What a turn of the event loop loads: 50 ms on a slow machine. In characters; each file counts some more. */
const TURN_CHARACTERS = 200_000;
const FILE_CHARACTERS = 2000;

/** Workflow files, read again only when they, or the base configuration, have changed. */
export class LoadedFiles {
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #onLoaded: (file: string) => void;
  readonly #known = new Map<string, KnownFile>();
  #isSpread = false;
  /** Characters that this turn may still load; undefined before its first file. */
  #left: number | undefined;
  readonly #waiting: (() => void)[] = [];

  /** @param onLoaded called when a file has been loaded in a thread, or in a later turn */
  constructor(clock: Pick<Clock, 'now' | 'soon'>, onLoaded: (file: string) => void = () => {}) {
    this.#clock = clock;
    this.#onLoaded = onLoaded;
  }

  /** From now on, loads many small files over several turns of the event loop. */
  spread(): void {
    this.#isSpread = true;
  }

  /** What a file is now: the same object as long as nothing has changed. Undefined for what is no file. */
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
    // A file that could not be read is read again each time.
    if (entry === undefined || text === undefined) return entry;
    const isSettled = !isFresh && entry.loading === undefined;
    const next = known?.entry === entry ? known : { text, base, entry };
    next.stamp = isSettled ? stamp : undefined;
    this.#known.set(file, next);
    return entry;
  }

  /** Whether the mark of a file would tell of any change since it was loaded. */
  isSettled(file: string): boolean {
    return this.#known.get(file)?.stamp !== undefined;
  }

  forget(file: string): void {
    this.#known.delete(file);
  }

  /** One file that cannot be read must not hide the others; no entry when it has just been removed. */
  #read(
    file: string,
    base: LoadedBase | undefined,
    known: KnownFile | undefined,
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
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'not_found') return { entry: undefined };
      return {
        entry: { ...place, spec: { text: '', workflows: [], diagnostics: [faultOf(file, message)] } },
      };
    }
  }

  /** Until the file is loaded, it has the workflows of the text before. */
  #loadLater(
    place: Pick<LibraryEntry, 'fileName' | 'file'>,
    text: string,
    before: KnownFile | undefined,
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
    const loading = loaded.then(finish, (thrown: unknown) =>
      finish({ text, workflows: [], diagnostics: [faultOf(file, toAppError(thrown).message)] }),
    );
    const entry: LibraryEntry = { ...place, spec: { text, workflows, diagnostics }, loading };
    return entry;
  }

  /** Whether this turn may load one more text. */
  #take(text: string): boolean {
    if (!this.#isSpread) return true;
    if (this.#left === undefined) this.#clock.soon(() => this.#beginTurn());
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

  #beginTurn(): void {
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
