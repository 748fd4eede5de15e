import type { Clock } from '../../../base/clock.ts';
import { overloadedError } from './overloaded-error.ts';

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** Limits for batches. */
export interface BatchLimits {
  /** Maximum number of items per call. */
  readonly max: number;
  /** Maximum number of queued items; further ones are rejected with `unavailable`. */
  readonly waiting: number;
  /** Time that the first item waits for others, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Batches items that arrive within a few milliseconds or during a call. There is never more than one call at a time.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  readonly #clock: Clock;
  #waiting: Entry<Item, Result>[] = [];
  #isBusy = false;

  /** @param run returns results in the order of the items */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    { limits, clock }: { readonly limits: BatchLimits; readonly clock: Clock },
  ) {
    this.#run = run;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Adds an item. Rejects with the error of the call, or `unavailable` if the queue is full. */
  async add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.waiting) throw overloadedError();
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }));
    if (!this.#isBusy) {
      this.#isBusy = true;
      this.#clock.after(this.#limits.delayMs, () => void this.#work());
    }
    return await result;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.slice(0, this.#limits.max);
      this.#waiting = this.#waiting.slice(entries.length);
      await this.#settle(entries);
    }
    this.#isBusy = false;
  }

  async #settle(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(entries.map(({ item }) => item));
      for (const [index, entry] of entries.entries()) entry.resolve(results[index]!);
    } catch (error) {
      for (const entry of entries) entry.reject(error);
    }
  }
}
