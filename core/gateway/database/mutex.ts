import type { Clock } from '../../base/clock.ts';
import { DatabaseUnavailable } from './database.ts';

/** A mutex with a queue in order of arrival. */
export class Mutex {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #waiting: { readonly begin: () => void }[] = [];
  #isLocked = false;

  /** @param timeoutMs maximum waiting time */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs work exclusively.
   * @throws DatabaseUnavailable `busy` after the maximum waiting time
   */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isLocked) await this.#wait();
    this.#isLocked = true;
    try {
      return await work();
    } finally {
      this.#isLocked = false;
      this.#waiting.shift()?.begin();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = {
        begin: () => {
          stopWaiting();
          // Prevents a new caller from entering before the next in the queue.
          this.#isLocked = true;
          resolve();
        },
      };
      const stopWaiting = this.#clock.after(this.#timeoutMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        const seconds = this.#timeoutMs / 1000;
        reject(new DatabaseUnavailable(`The database was busy for ${seconds} s. Try again later.`, 'busy'));
      });
      this.#waiting.push(turn);
    });
  }
}
