import type { Clock } from '../../base/clock.ts';
import { DatabaseUnavailable } from './database.ts';

/** One at a time, in the order in which they come. */
export class Turns {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #waiting: { readonly begin: () => void }[] = [];
  #isTaken = false;

  /** @param patienceMs how long one waits before it gives up */
  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /**
   * Does something while nobody else does anything.
   * @throws DatabaseUnavailable `busy`, when it was not its turn in time
   */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isTaken) await this.#wait();
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.#waiting.shift()?.begin();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = {
        begin: () => {
          stopWaiting();
          // Nobody who comes before this one goes on may slip in.
          this.#isTaken = true;
          resolve();
        },
      };
      const stopWaiting = this.#clock.after(this.#patienceMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        const seconds = this.#patienceMs / 1000;
        reject(new DatabaseUnavailable(`The database was busy for ${seconds} s. Try again later.`, 'busy'));
      });
      this.#waiting.push(turn);
    });
  }
}
