import type { Clock } from '../../../base/clock.ts';
import { refuseFull } from './refuse-full.ts';

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** How many items go together, and how many may wait. */
export interface BatchLimits {
  /** In one call. */
  readonly most: number;
  /** Beyond these an item is refused with `unavailable`. */
  readonly waiting: number;
  /** How long the first one waits for others, milliseconds. */
  readonly delayMs: number;
}

/**
 * Gathers what many ask for into few calls: what comes within a few milliseconds goes together, and so does what comes
 * while a call is under way; there is never more than one.
 */
export class Batches<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  readonly #clock: Clock;
  #waiting: Entry<Item, Result>[] = [];
  #isBusy = false;

  /** @param run answers in the order of the items */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    { limits, clock }: { readonly limits: BatchLimits; readonly clock: Clock },
  ) {
    this.#run = run;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Rejects with what the call rejected with, or `unavailable` when too much waits already. */
  async add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.waiting) throw refuseFull();
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }));
    if (!this.#isBusy) {
      this.#isBusy = true;
      this.#clock.after(this.#limits.delayMs, () => void this.#work());
    }
    return await result;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.slice(0, this.#limits.most);
      this.#waiting = this.#waiting.slice(entries.length);
      await this.#settle(entries);
    }
    this.#isBusy = false;
  }

  async #settle(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(entries.map(({ item }) => item));
      for (const [index, entry] of entries.entries()) entry.resolve(results[index]!);
    } catch (thrown) {
      for (const entry of entries) entry.reject(thrown);
    }
  }
}
