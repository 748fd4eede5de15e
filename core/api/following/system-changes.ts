import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunStore } from '../../run/ports.ts';

/** How often it is asked whether anything was written, while somebody listens. That costs some microseconds. */
const watchMs = 250;
/** However much is written, what is watched is read at most this often. */
const readMs = 1000;
/** What time alone changes is read this often: a host that is gone writes nothing. */
const timeMs = 5000;

/** What it is put together from. */
export interface ChangeParts {
  readonly clock: Clock;
  readonly store: Pick<RunStore, 'commitMark'>;
  readonly logger: Logger;
}

/** Reads what is watched. It is only compared with what it was. */
type Read = () => unknown;

interface Watched {
  readonly read: Read;
  readonly emitter: Emitter<undefined>;
  /** As JSON. */
  last: string;
}

/**
 * Tells when something of the home that has no events of its own has changed, whichever host has done that. It watches
 * nothing while nobody listens.
 */
export class SystemChanges {
  readonly #parts: ChangeParts;
  readonly #watched = new Map<string, Watched>();
  #stop: Dispose | undefined;
  #mark = '';
  #readAt = 0;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
  }

  /**
   * Calls the listener whenever what is read under a name is other than before.
   * @param name of what is read: whoever listens to the same shares the reading
   * @throws what reading it throws
   */
  subscribe(name: string, read: Read, listener: () => void): Dispose {
    const known = this.#watched.get(name);
    const watched = known ?? { read, emitter: this.#newEmitter(), last: JSON.stringify(read()) };
    this.#watched.set(name, watched);
    if (!this.#stop) this.#begin();
    const dispose = watched.emitter.subscribe(listener);
    return () => {
      dispose();
      if (watched.emitter.size > 0 || this.#watched.get(name) !== watched) return;
      this.#watched.delete(name);
      if (this.#watched.size === 0) this.close();
    };
  }

  /** Watches nothing any more. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #begin(): void {
    const { clock, store } = this.#parts;
    this.#mark = store.commitMark();
    this.#readAt = clock.monotonic();
    this.#stop = clock.every(watchMs, () => this.#look());
  }

  #look(): void {
    const { clock, store } = this.#parts;
    const sinceRead = clock.monotonic() - this.#readAt;
    try {
      const mark = store.commitMark();
      if (sinceRead < (mark === this.#mark ? timeMs : readMs)) return;
      // Before reading: what is written meanwhile is looked at the next time.
      this.#mark = mark;
      this.#readAt = clock.monotonic();
      for (const watched of [...this.#watched.values()]) this.#compare(watched);
    } catch {
      // Who asks the engine for it is told what is wrong, and the next look may succeed.
    }
  }

  #compare(watched: Watched): void {
    const now = JSON.stringify(watched.read());
    if (now === watched.last) return;
    watched.last = now;
    watched.emitter.emit(undefined);
  }

  #newEmitter(): Emitter<undefined> {
    return new Emitter((thrown) =>
      this.#parts.logger.error('A listener for system changes failed', { message: String(thrown) }),
    );
  }
}
