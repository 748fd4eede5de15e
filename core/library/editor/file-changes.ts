import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { hashText } from './spec-versions.ts';

/** A change of a workflow file. */
export interface FileChange {
  /** Without its extension. */
  readonly fileName: string;
  readonly kind: 'changed' | 'created' | 'removed' | 'renamed';
  /** Hash of the current text; absent for a deleted file. */
  readonly hash?: string;
  /** For `renamed`: the previous name. A rename by another program is reported as one deleted and one created file. */
  readonly from?: string;
}

/** Access to the workflow folder for watching. */
export interface WatchedFiles {
  /** Returns the names of the files. */
  names(): ReadonlySet<string>;
  /** Returns the text of a file, or undefined if it does not exist. */
  read(fileName: string): string | undefined;
  /** Calls the listener when a file may have been created, deleted or written, by any program. */
  onChange(listener: (fileName: string) => void): Dispose;
}

/** Reports changes of workflow files: changes by this engine at once, other changes when they are detected. */
export class FileChanges {
  readonly #files: WatchedFiles;
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #emitter: Emitter<FileChange>;
  /** Known files with the hashes of their texts, where known; only maintained while there are listeners. */
  #known = new Map<string, string | undefined>();
  readonly #pendingNames = new Set<string>();
  #stopWatching: Dispose | undefined;

  constructor(files: WatchedFiles, clock: Pick<Clock, 'soon'>, logger: Logger) {
    this.#files = files;
    this.#clock = clock;
    this.#emitter = new Emitter((error) =>
      logger.error('A listener for workflow file changes failed', { message: String(error) }),
    );
  }

  /** Calls the listener for each change from now on. */
  subscribe(listener: (change: FileChange) => void): Dispose {
    if (this.#emitter.size === 0) this.#startWatching();
    const dispose = this.#emitter.subscribe(listener);
    return () => {
      dispose();
      if (this.#emitter.size === 0) this.close();
    };
  }

  /** Reports a change by this engine; the watcher does not report it again. */
  notify(change: FileChange): void {
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

  #startWatching(): void {
    // Watch before reading the names, so that changes in between are detected.
    this.#stopWatching = this.#files.onChange((fileName) => this.#markChanged(fileName));
    this.#known = new Map(Array.from(this.#files.names(), (name) => [name, undefined]));
  }

  /** Deferred, because a change by this engine is reported in the same turn. */
  #markChanged(fileName: string): void {
    if (this.#pendingNames.size === 0) this.#clock.soon(() => this.#checkAllFiles());
    this.#pendingNames.add(fileName);
  }

  #checkAllFiles(): void {
    const names = [...this.#pendingNames];
    this.#pendingNames.clear();
    if (this.#stopWatching !== undefined) for (const fileName of names) this.#checkFile(fileName);
  }

  #checkFile(fileName: string): void {
    const text = this.#files.read(fileName);
    const wasKnown = this.#known.has(fileName);
    if (text === undefined) {
      if (wasKnown) this.notify({ fileName, kind: 'removed' });
      return;
    }
    const hash = hashText(text);
    if (wasKnown && this.#known.get(fileName) === hash) return;
    this.notify({ fileName, kind: wasKnown ? 'changed' : 'created', hash });
  }
}
