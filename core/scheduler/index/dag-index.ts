import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { toAppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { BaseFile, LoadedBase } from '../../library/base-file.ts';
import { fingerprintFile } from '../../library/file-fingerprint.ts';
import { readText } from '../../library/read-text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { readScheduledDag, type ReadDag } from './read-scheduled-dag.ts';
import type { ScheduledDag } from './scheduled-dag.ts';

/** Changes that a scan of the folder has found. */
export interface IndexChanges {
  /** Includes new workflows. */
  readonly changed: readonly ScheduledDag[];
  /** Deleted, or without a readable schedule. */
  readonly removed: readonly string[];
}

interface IndexedFile {
  readonly stamp: string;
  readonly base: LoadedBase;
  readonly read: ReadDag;
}

/** Longest work per event-loop tick, in milliseconds. */
const sliceMs = 8;

/** The schedules of a workflow folder. Files are read again only when they, or the base configuration, have changed. */
export class DagIndex {
  readonly #folder: string;
  readonly #base: BaseFile;
  readonly #clock: Pick<Clock, 'now' | 'monotonic' | 'soon'>;
  readonly #logger: Logger;
  readonly #files = new Map<string, IndexedFile>();
  readonly #dags = new Map<string, ScheduledDag>();
  #isReadable = true;

  constructor(deps: {
    /** Absolute path. */
    readonly folder: string;
    readonly base: BaseFile;
    readonly clock: Pick<Clock, 'now' | 'monotonic' | 'soon'>;
    readonly logger: Logger;
  }) {
    this.#folder = deps.folder;
    this.#base = deps.base;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** By `ScheduledDag.dag`. */
  get dags(): ReadonlyMap<string, ScheduledDag> {
    return this.#dags;
  }

  /** Scans the whole folder, a few milliseconds at a time. An unreadable folder changes nothing. */
  async scan(): Promise<IndexChanges> {
    const names = this.#list();
    if (names === undefined) return { changed: [], removed: [] };
    const base = this.#base.read();
    const [changed, removed]: [ScheduledDag[], string[]] = [[], []];
    const seenNames = new Set<string>();
    let sliceEnd = this.#clock.monotonic() + sliceMs;
    for (const name of names) {
      const dag = path.basename(name, path.extname(name));
      // Of two files with the same name the first counts, as in the library.
      if (seenNames.has(dag)) continue;
      seenNames.add(dag);
      await this.#check(dag, name, base, { changed, removed });
      if (this.#clock.monotonic() < sliceEnd) continue;
      await new Promise<void>((resolve) => this.#clock.soon(resolve));
      sliceEnd = this.#clock.monotonic() + sliceMs;
    }
    for (const dag of this.#files.keys()) if (!seenNames.has(dag)) this.#remove(dag, removed);
    return { changed, removed };
  }

  #list(): string[] | undefined {
    try {
      const names = readdirSync(this.#folder).filter(
        (name) => /\.ya?ml$/.test(name) && !name.startsWith('.'),
      );
      this.#isReadable = true;
      return names.toSorted((left, right) => (left < right ? -1 : 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      if (this.#isReadable)
        this.#logger.error('Cannot read the workflow folder; schedules are unchanged', {
          folder: this.#folder,
          message: String(error),
        });
      this.#isReadable = false;
      return undefined;
    }
  }

  async #check(
    dag: string,
    name: string,
    base: LoadedBase,
    changes: { changed: ScheduledDag[]; removed: string[] },
  ): Promise<void> {
    const file = path.join(this.#folder, name);
    const mark = fingerprintFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) return this.#remove(dag, changes.removed);
    const known = this.#files.get(dag);
    if (known?.stamp === mark.stamp && known.base === base) return;
    const read = await this.#read(dag, file, base);
    this.#files.set(dag, { stamp: mark.isFresh ? '' : mark.stamp, base, read });
    this.#warn(known?.read, read);
    if (read.dag === undefined) {
      if (this.#dags.delete(dag)) changes.removed.push(dag);
    } else if (!isSame(this.#dags.get(dag), read.dag)) {
      this.#dags.set(dag, read.dag);
      changes.changed.push(read.dag);
    }
  }

  async #read(dag: string, file: string, base: LoadedBase): Promise<ReadDag> {
    try {
      return await readScheduledDag(dag, file, readText(file), base);
    } catch (error) {
      const { message } = toAppError(error);
      return { errors: [{ severity: 'error', message, file, line: 1, column: 1, path: '' }] };
    }
  }

  /** Reports a broken file once; it affects no other file. */
  #warn(before: ReadDag | undefined, { errors }: ReadDag): void {
    const [first] = errors;
    if (first === undefined || first.message === before?.errors[0]?.message) return;
    this.#logger.warn(`Schedule suspended because a workflow file is invalid: ${formatDiagnostic(first)}`);
  }

  #remove(dag: string, removed: string[]): void {
    this.#files.delete(dag);
    if (this.#dags.delete(dag)) removed.push(dag);
  }
}

const isSame = (left: ScheduledDag | undefined, right: ScheduledDag): boolean =>
  left !== undefined && JSON.stringify(left) === JSON.stringify(right);
