import type { Clock } from './clock.ts';

/** Runs asynchronous work one at a time, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after that of earlier calls, whether they succeed or fail. */
  take<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Runs a task one at a time: all requests during a run lead to one more run after it. */
export class CoalescedTask {
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #task: () => Promise<void>;
  #isRequested = false;
  #isScheduled = false;
  #running: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'soon'>, task: () => Promise<void>) {
    this.#clock = clock;
    this.#task = task;
  }

  /** Runs the task now, or after the current run. Resolves when no run is requested any more. */
  request(): Promise<void> {
    this.#isRequested = true;
    if (this.#running === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#running = promise;
      this.#runWhileRequested().then(resolve, reject);
    }
    return this.#running;
  }

  /** Runs the task once for all requests of this event-loop tick, or after the current run. */
  requestSoon(): void {
    if (this.#running !== undefined) this.#isRequested = true;
    if (this.#isRequested || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.soon(() => {
      this.#isScheduled = false;
      void this.request();
    });
  }

  /** Resolves when no run is requested any more; one that starts in the next tick does not count. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runWhileRequested(): Promise<void> {
    try {
      while (this.#isRequested) {
        this.#isRequested = false;
        await this.#task();
      }
    } finally {
      this.#running = undefined;
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Processes items in batches, one at a time: those of one event-loop tick, and those added during a batch in the tick
 * after it.
 */
export class Batcher<Item, Result> {
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #task: CoalescedTask;
  readonly #process: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  readonly #countFirst: (items: readonly Item[]) => number;
  readonly #waiting: Waiting<Item, Result>[] = [];

  /**
   * @param process returns the result of each item, or the error it is rejected with
   * @param countFirst returns how many of the items are the next batch, at least one; default: all
   */
  constructor(
    clock: Pick<Clock, 'soon'>,
    process: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
    countFirst = (items: readonly Item[]): number => items.length,
  ) {
    this.#clock = clock;
    this.#task = new CoalescedTask(clock, () => this.#processNext());
    this.#process = process;
    this.#countFirst = countFirst;
  }

  /** Resolves with the result of the item's batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#task.requestSoon();
    });
  }

  async #processNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#countFirst(this.#waiting.map(({ item }) => item)));
    try {
      const results = await this.#process(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    void this.#task.request();
  }
}
