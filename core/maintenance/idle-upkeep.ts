import type { Clock, Dispose } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { UpkeepStore } from './ports.ts';

/** The database counts as idle when nothing has happened between two looks at it. */
const intervalMs = 60_000;

/** Space that is worth giving back; new runs need some of it again anyway. */
const leastBytes = 4 * 1024 * 1024;

/** Portions at one look, so that a host is never busy with it for long. */
const mostPortions = 64;

/**
 * Gives the space of removed runs back to the disk and empties the write-ahead log, while nothing happens in the
 * home. For hosts that live long; several on one home do no harm.
 */
export class IdleUpkeep {
  readonly #store: UpkeepStore;
  readonly #clock: Pick<Clock, 'every' | 'soon'>;
  readonly #logger: Logger;
  readonly #isBusy: () => boolean;
  #last: string | undefined;
  #isDone = false;
  #working: Promise<void> = Promise.resolve();
  #stop: Dispose | undefined;
  #isStopped = false;

  /** @param parts.isBusy whether this process drives runs */
  constructor(parts: {
    readonly store: UpkeepStore;
    readonly clock: Pick<Clock, 'every' | 'soon'>;
    readonly logger: Logger;
    readonly isBusy: () => boolean;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#isBusy = parts.isBusy;
  }

  /** Looks once a minute until it is closed. */
  start(): void {
    this.#stop ??= this.#clock.every(intervalMs, () => this.#look());
  }

  /** Ends it; resolves when what was begun has been done. */
  close(): Promise<void> {
    this.#isStopped = true;
    this.#stop?.();
    return this.#working;
  }

  /** Resolves when what was begun has been done. */
  settled(): Promise<void> {
    return this.#working;
  }

  #look(): void {
    this.#working = this.#working
      .then(() => this.#work())
      .catch((thrown: unknown) =>
        this.#logger.warn('Cannot vacuum the database', { message: String(thrown) }),
      );
  }

  async #work(): Promise<void> {
    if (!this.#isIdle() || this.#isDone) return;
    if (this.#store.freeBytes() >= leastBytes && !(await this.#shrink())) return;
    this.#store.emptyLog();
    this.#isDone = true;
    this.#last = this.#store.activity();
  }

  /** Whether it is done with: not when something has happened meanwhile, or when there is more to do. */
  async #shrink(): Promise<boolean> {
    for (let portion = 0; portion < mostPortions; portion += 1) {
      if (this.#isStopped || this.#isBusy() || this.#store.activity() !== this.#last) return false;
      if (!this.#store.shrink()) return true;
      await new Promise<void>((resolve) => this.#clock.soon(resolve));
    }
    return false;
  }

  #isIdle(): boolean {
    if (this.#isStopped || this.#isBusy()) return false;
    const activity = this.#store.activity();
    const isIdle = activity === this.#last;
    if (!isIdle) this.#isDone = false;
    this.#last = activity;
    return isIdle;
  }
}
