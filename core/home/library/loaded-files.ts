import path from 'node:path';
import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { toAppError } from '../../base/errors.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isLarge } from './load-in-thread.ts';
import type { LoadedBase } from './base-file.ts';
import { loadWithBase, loadWithBaseInThread, type SpecFile } from './read-spec.ts';
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
   * workflows of the previous text, and a diagnostic about it.
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
  #isIncremental = false;
  /** Amount of text that this turn may still load; undefined before its first file. */
  #remaining: number | undefined;
  readonly #waiting: (() => void)[] = [];

  /** @param onLoaded called when a file was loaded in a worker thread or in a later turn */
  constructor(clock: Pick<Clock, 'now' | 'soon'>, onLoaded: (file: string) => void = () => {}) {
    this.#clock = clock;
    this.#onLoaded = onLoaded;
  }

  /** Spreads the loading of many small files over several turns of the event loop from now on. */
  loadIncrementally(): void {
    this.#isIncremental = true;
  }

  /**
   * Returns the current entry of a file: the same object if nothing has changed. Returns undefined if it is not a
   * file.
   */
  load(file: string, base: LoadedBase | undefined): LibraryEntry | undefined {
    const fingerprint = fingerprintFile(file, this.#clock.now());
    if (fingerprint === undefined || !fingerprint.isFile) {
      this.forget(file);
      return undefined;
    }
    const { stamp, isFresh } = fingerprint;
    const known = this.#known.get(file);
    if (known?.stamp === stamp && known.base === base) return known.entry;
    const { text, entry } = this.#read(file, base, known);
    if (entry === undefined) this.forget(file);
    // An unreadable file is read again each time.
    if (entry === undefined || text === undefined) return entry;
    const isUpToDate = !isFresh && entry.loading === undefined;
    const next = known?.entry === entry ? known : { text, base, entry };
    next.stamp = isUpToDate ? stamp : undefined;
    this.#known.set(file, next);
    return entry;
  }

  /** Whether the fingerprint of a file would show any change since it was loaded. */
  isUpToDate(file: string): boolean {
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
    const location = { fileName: path.basename(file, path.extname(file)), file };
    try {
      const { text, problem } = readText(file);
      if (problem !== undefined)
        return { text, entry: { ...location, spec: { file, text, workflows: [], diagnostics: [problem] } } };
      if (known?.text === text && known.base === base) return { text, entry: known.entry };
      if (isLarge(text))
        return {
          text,
          entry: this.#loadInBackground(location, text, known, loadWithBaseInThread({ text, file }, base)),
        };
      const load = (): SpecFile => loadWithBase({ text, file }, base);
      if (this.#take(text)) return { text, entry: { ...location, spec: load() } };
      return { text, entry: this.#loadInBackground(location, text, known, this.#wait(text).then(load)) };
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === 'not_found') return { entry: undefined };
      return {
        entry: {
          ...location,
          spec: { file, text: '', workflows: [], diagnostics: [errorDiagnostic(file, message)] },
        },
      };
    }
  }

  /** Keeps the workflows of the previous text until the file is loaded. */
  #loadInBackground(
    location: Pick<LibraryEntry, 'fileName' | 'file'>,
    text: string,
    before: CachedFile | undefined,
    loaded: Promise<SpecFile>,
  ): LibraryEntry {
    const { file } = location;
    const { workflows = [] } = before?.entry.spec ?? {};
    const severity = workflows.length > 0 ? 'warning' : 'error';
    const diagnostics = [{ ...errorDiagnostic(file, 'This file is being checked.'), severity } as const];
    const finish = (spec: SpecFile): void => {
      const known = this.#known.get(file);
      if (known?.entry !== entry) return;
      known.entry = { ...location, spec };
      this.#onLoaded(file);
    };
    const loading = loaded.then(finish, (error: unknown) =>
      finish({ file, text, workflows: [], diagnostics: [errorDiagnostic(file, toAppError(error).message)] }),
    );
    const entry: LibraryEntry = { ...location, spec: { file, text, workflows, diagnostics }, loading };
    return entry;
  }

  /** Whether this turn may load one more text. */
  #take(text: string): boolean {
    if (!this.#isIncremental) return true;
    if (this.#remaining === undefined) this.#clock.soon(() => this.#beginTick());
    this.#remaining ??= TURN_CHARACTERS;
    if (this.#remaining <= 0) return false;
    this.#remaining -= FILE_CHARACTERS + text.length;
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
    this.#remaining = undefined;
    while (this.#waiting.length > 0 && (this.#remaining ?? 1) > 0) this.#waiting.shift()!();
  }
}

const errorDiagnostic = (file: string, message: string): Diagnostic => ({
  severity: 'error',
  message,
  file,
  line: 1,
  column: 1,
  path: '',
});

/** Identifies the state of a file, to detect changes. */
export interface FileFingerprint {
  readonly stamp: string;
  /** Changed so recently that a further change may have the same mark; the content must not be cached. */
  readonly isFresh: boolean;
  /** Neither a folder nor a pipe; reading a pipe could block forever. */
  readonly isFile: boolean;
}

/**
 * Two changes within one tick of a file system's clock are indistinguishable. The coarsest common clock is that of
 * FAT: two seconds.
 */
export const timestampGranularityMs = 2000;

/**
 * Returns the current fingerprint of a file; undefined if it does not exist, including a dangling or circular link.
 * @param now epoch milliseconds
 */
export function fingerprintFile(file: string, now: number): FileFingerprint | undefined {
  try {
    const stats = statSync(file);
    return {
      stamp: `${stats.ino}:${stats.size}:${stats.mtimeMs}`,
      isFresh: now - stats.mtimeMs < timestampGranularityMs,
      isFile: stats.isFile(),
    };
  } catch {
    return undefined;
  }
}
