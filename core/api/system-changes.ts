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

/** Reads the watched data, perhaps as a promise. It is only compared with the previous value. */
type Read = () => unknown;

interface Watched {
  readonly read: Read;
  readonly emitter: Emitter<undefined>;
  /** As JSON; undefined before the first read. */
  last?: string | undefined;
}

/** Notifies of changes of the home that have no events, by any host. Watches nothing while there are no listeners. */
export class SystemChanges {
  readonly #clock: Clock;
  readonly #store: Pick<RunStore, 'commitRevision'>;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #stop: Dispose | undefined;
  #revision = '';
  #readAt = 0;
  #isReading = false;

  constructor(clock: Clock, store: Pick<RunStore, 'commitRevision'>, logger: Logger) {
    this.#clock = clock;
    this.#store = store;
    this.#logger = logger;
  }

  /**
   * Calls the listener once when the data under a name has been read, and whenever it has changed since.
   * @param name name of the data; listeners of the same data share the reads
   */
  subscribe(name: string, read: Read, listener: () => void): Dispose {
    const known = this.#watched.get(name);
    const watched: Watched = known ?? { read, emitter: this.#newEmitter() };
    this.#watched.set(name, watched);
    if (!this.#stop) this.#begin();
    const dispose = watched.emitter.subscribe(listener);
    if (known === undefined) void this.#compareAll([watched]);
    else if (known.last !== undefined) listener();
    return () => {
      dispose();
      if (watched.emitter.size > 0 || this.#watched.get(name) !== watched) return;
      this.#watched.delete(name);
      if (this.#watched.size === 0) this.close();
    };
  }

  /** Stops watching. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #begin(): void {
    this.#revision = this.#store.commitRevision();
    this.#readAt = this.#clock.monotonic();
    this.#stop = this.#clock.every(watchMs, () => this.#checkRevision());
  }

  #checkRevision(): void {
    if (this.#isReading) return;
    const sinceRead = this.#clock.monotonic() - this.#readAt;
    const revision = this.#store.commitRevision();
    if (sinceRead < (revision === this.#revision ? timeMs : readMs)) return;
    // Stored before reading: writes during the read are detected by the next check.
    this.#revision = revision;
    this.#readAt = this.#clock.monotonic();
    this.#isReading = true;
    void this.#compareAll([...this.#watched.values()]).finally(() => (this.#isReading = false));
  }

  /** An error is ignored: the API reports it to clients, and the next read may succeed. */
  async #compareAll(all: readonly Watched[]): Promise<void> {
    await Promise.allSettled(all.map((watched) => this.#compare(watched)));
  }

  async #compare(watched: Watched): Promise<void> {
    const now = JSON.stringify(await watched.read());
    if (now === watched.last) return;
    watched.last = now;
    watched.emitter.emit(undefined);
  }

  #newEmitter(): Emitter<undefined> {
    return new Emitter((error) =>
      this.#logger.error('A listener for system changes failed', { message: String(error) }),
    );
  }
}

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
