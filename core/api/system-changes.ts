import type { Clock, Dispose } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { RunStore } from '../store/types/runs.ts';

/** Interval of checks for writes while there are listeners, in milliseconds. A check takes some microseconds. */
const watchMs = 250;
/** Minimum interval of reads, in milliseconds. */
const readMs = 1000;
/** Interval of reads of data that changes with time, in milliseconds: a host that has ended writes nothing. */
const timeMs = 5000;

/** Reads the watched data, or returns a promise of it. It is only compared with the previous value. */
type Read = () => unknown;

interface Watched {
  readonly read: Read;
  readonly emitter: Emitter<undefined>;
  /** As JSON. */
  last: Promise<string>;
}

/** A subscription to changes. */
export interface ChangeSubscription {
  /** Resolves when every later change is reported; rejects with errors of `read`. */
  readonly ready: Promise<unknown>;
  readonly dispose: Dispose;
}

/** Notifies of changes of the home that have no events, by any host. Watches nothing while there are no listeners. */
export class SystemChanges {
  readonly #clock: Clock;
  readonly #store: Pick<RunStore, 'commitRevision'>;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #stop: Dispose | undefined;
  #isReading = false;
  #revision = '';
  #readAt = 0;

  constructor(clock: Clock, store: Pick<RunStore, 'commitRevision'>, logger: Logger) {
    this.#clock = clock;
    this.#store = store;
    this.#logger = logger;
  }

  /**
   * Calls the listener whenever the data that is read under a name has changed.
   * @param name name of the data; listeners of the same data share the reads
   */
  subscribe(name: string, read: Read, listener: () => void): ChangeSubscription {
    // The revision is read before the data, so that writes during the read are detected.
    if (!this.#stop) this.#begin();
    const known = this.#watched.get(name);
    const watched = known ?? { read, emitter: this.#newEmitter(), last: readAsJson(read) };
    this.#watched.set(name, watched);
    const unsubscribe = watched.emitter.subscribe(listener);
    const dispose = (): void => {
      unsubscribe();
      if (watched.emitter.size > 0 || this.#watched.get(name) !== watched) return;
      this.#watched.delete(name);
      if (this.#watched.size === 0) this.close();
    };
    return { ready: watched.last, dispose };
  }

  /** Stops watching. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #begin(): void {
    this.#revision = this.#store.commitRevision();
    this.#readAt = this.#clock.monotonic();
    this.#stop = this.#clock.every(watchMs, () => void this.#checkRevision());
  }

  /** Reads once at a time; the next check detects writes during the read. */
  async #checkRevision(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#readIfChanged();
    } catch {
      // The API reports the error to clients, and the next read may succeed.
    } finally {
      this.#isReading = false;
    }
  }

  async #readIfChanged(): Promise<void> {
    const sinceRead = this.#clock.monotonic() - this.#readAt;
    const revision = this.#store.commitRevision();
    if (sinceRead < (revision === this.#revision ? timeMs : readMs)) return;
    // Stored before reading: writes during the read are detected by the next check.
    this.#revision = revision;
    this.#readAt = this.#clock.monotonic();
    for (const watched of [...this.#watched.values()]) await this.#compare(watched);
  }

  async #compare(watched: Watched): Promise<void> {
    const before = await watched.last;
    const now = await readAsJson(watched.read);
    if (now === before) return;
    watched.last = Promise.resolve(now);
    watched.emitter.emit(undefined);
  }

  #newEmitter(): Emitter<undefined> {
    return new Emitter((error) =>
      this.#logger.error('A listener for system changes failed', { message: String(error) }),
    );
  }
}

const readAsJson = async (read: Read): Promise<string> => JSON.stringify(await read());

/** Combines calls: the first call and all calls within a short time are passed on as one. */
export class Throttle {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #coalesceMs: number;
  readonly #notify: () => void;
  #stopTimer: Dispose | undefined;

  /** @param coalesceMs delay after the first call, in milliseconds */
  constructor(clock: Pick<Clock, 'after'>, coalesceMs: number, notify: () => void) {
    this.#clock = clock;
    this.#coalesceMs = coalesceMs;
    this.#notify = notify;
  }

  /** Schedules a call. */
  readonly note = (): void => {
    this.#stopTimer ??= this.#clock.after(this.#coalesceMs, () => {
      this.#stopTimer = undefined;
      this.#notify();
    });
  };

  /** Cancels the scheduled call. */
  close(): void {
    this.#stopTimer?.();
  }
}
