import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { hashText } from './spec-versions.ts';

/** Something has happened to a workflow file. */
export interface FileChange {
  /** Without its ending. */
  readonly fileName: string;
  readonly kind: 'changed' | 'created' | 'removed' | 'renamed';
  /** Of the text that the file has now; absent for one that is gone. */
  readonly hash?: string;
  /** Of `renamed`: the name before. What others rename is one file removed and one created. */
  readonly from?: string;
}

/** The workflow folder, as far as changes of its files are told. */
export interface WatchedFiles {
  /** Names of the files there are. */
  names(): ReadonlySet<string>;
  /** The text of a file; undefined when there is none of this name. */
  read(fileName: string): string | undefined;
  /** Calls back when a file may have come, gone or been written, whoever did it. */
  onChange(listener: (fileName: string) => void): Dispose;
}

/** Tells of changes of workflow files: those made here at once, others as soon as they are noticed. */
export class FileChanges {
  readonly #files: WatchedFiles;
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #emitter: Emitter<FileChange>;
  /** The files that are known while somebody listens, with the hashes of their texts as far as these are known. */
  #known = new Map<string, string | undefined>();
  readonly #noticed = new Set<string>();
  #stopWatching: Dispose | undefined;

  constructor(files: WatchedFiles, clock: Pick<Clock, 'soon'>, logger: Logger) {
    this.#files = files;
    this.#clock = clock;
    this.#emitter = new Emitter((thrown) =>
      logger.error('A listener for workflow file changes failed', { message: String(thrown) }),
    );
  }

  /** Calls the listener for every change from now on. */
  subscribe(listener: (change: FileChange) => void): Dispose {
    if (this.#emitter.size === 0) this.#beginWatching();
    const dispose = this.#emitter.subscribe(listener);
    return () => {
      dispose();
      if (this.#emitter.size === 0) this.close();
    };
  }

  /** Tells of a change that this engine has made; the watch does not tell of it again. */
  tell(change: FileChange): void {
    const { fileName, kind, hash, from } = change;
    if (this.#stopWatching === undefined) return;
    if (from !== undefined) this.#known.delete(from);
    if (kind === 'removed') this.#known.delete(fileName);
    else this.#known.set(fileName, hash);
    this.#emitter.emit(change);
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #beginWatching(): void {
    // In this order: what happens in between is noticed.
    this.#stopWatching = this.#files.onChange((fileName) => this.#notice(fileName));
    this.#known = new Map(Array.from(this.#files.names(), (name) => [name, undefined]));
  }

  /** Not at once: whoever has made the change here tells of it in this very turn. */
  #notice(fileName: string): void {
    if (this.#noticed.size === 0) this.#clock.soon(() => this.#lookAll());
    this.#noticed.add(fileName);
  }

  #lookAll(): void {
    const names = [...this.#noticed];
    this.#noticed.clear();
    if (this.#stopWatching !== undefined) for (const fileName of names) this.#look(fileName);
  }

  #look(fileName: string): void {
    const text = this.#files.read(fileName);
    const wasKnown = this.#known.has(fileName);
    if (text === undefined) {
      if (wasKnown) this.tell({ fileName, kind: 'removed' });
      return;
    }
    const hash = hashText(text);
    if (wasKnown && this.#known.get(fileName) === hash) return;
    this.tell({ fileName, kind: wasKnown ? 'changed' : 'created', hash });
  }
}
