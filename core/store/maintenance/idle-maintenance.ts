import type { Clock, Dispose } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { MaintenanceStore } from '../types/maintenance.ts';

/** The database is idle if nothing has changed between two checks. */
const intervalMs = 60_000;

/** Minimum free space to return; new runs reuse some of it. */
const minBytes = 4 * 1024 * 1024;

/** Maximum batches per check, so that a host is never busy for long. */
const maxBatches = 64;

/**
 * Returns the space of deleted runs to the disk and truncates the write-ahead log while the home is idle; at the start,
 * completes the counts of runs in batches. For long-running hosts; several on one home do not conflict.
 */
export class IdleMaintenance {
  readonly #store: MaintenanceStore;
  readonly #clock: Pick<Clock, 'every' | 'soon'>;
  readonly #logger: Logger;
  readonly #isBusy: () => boolean;
  #last: string | undefined;
  #isDone = false;
  #working: Promise<void> = Promise.resolve();
  #stop: Dispose | undefined;
  #isStopped = false;

  /** @param isBusy whether this process drives runs */
  constructor(
    store: MaintenanceStore,
    clock: Pick<Clock, 'every' | 'soon'>,
    logger: Logger,
    isBusy: () => boolean,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#isBusy = isBusy;
  }

  /** Counts earlier runs, and checks once a minute until closed. */
  start(): void {
    if (this.#stop !== undefined) return;
    this.#stop = this.#clock.every(intervalMs, () => this.#check());
    this.#enqueue('Cannot count earlier runs', () => this.#countRuns());
  }

  /** Stops; resolves when the current work has finished. */
  close(): Promise<void> {
    this.#isStopped = true;
    this.#stop?.();
    return this.#working;
  }

  /** Resolves when the current work has finished. */
  settled(): Promise<void> {
    return this.#working;
  }

  #check(): void {
    this.#enqueue('Cannot vacuum the database', () => this.#work());
  }

  #enqueue(failure: string, work: () => Promise<void>): void {
    this.#working = this.#working
      .then(work)
      .catch((error: unknown) => this.#logger.warn(failure, { message: String(error) }));
  }

  async #countRuns(): Promise<void> {
    do await this.#pause();
    while (!this.#isStopped && (await this.#store.countEarlierRuns()));
  }

  async #work(): Promise<void> {
    if (!(await this.#isIdle()) || this.#isDone) return;
    if ((await this.#store.freeBytes()) >= minBytes && !(await this.#shrink())) return;
    await this.#store.emptyLog();
    this.#isDone = true;
    this.#last = await this.#store.activity();
  }

  /** Returns whether it is finished; false after activity, or if there is more to do. */
  async #shrink(): Promise<boolean> {
    for (let batch = 0; batch < maxBatches; batch += 1) {
      if (this.#isStopped || this.#isBusy() || (await this.#store.activity()) !== this.#last) return false;
      if (!(await this.#store.shrink())) return true;
      await this.#pause();
    }
    return false;
  }

  readonly #pause = (): Promise<void> => new Promise((resolve) => this.#clock.soon(resolve));

  async #isIdle(): Promise<boolean> {
    if (this.#isStopped || this.#isBusy()) return false;
    const activity = await this.#store.activity();
    const isIdle = activity === this.#last;
    if (!isIdle) this.#isDone = false;
    this.#last = activity;
    return isIdle;
  }
}
