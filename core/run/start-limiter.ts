import type { Clock } from '../base/clock.ts';

/**
 * Lets a few callers through per event-loop tick. Starting a process blocks the loop for about a millisecond, so a
 * thousand ready steps at once would freeze everything else.
 */
export class StartLimiter {
  readonly #clock: Clock;
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #acquired = 0;

  constructor(clock: Clock, perTurn: number) {
    this.#clock = clock;
    this.#perTurn = perTurn;
  }

  /** Resolves when it is the caller's turn, in order of the calls. */
  acquire(): Promise<void> {
    if (this.#acquired === 0) this.#clock.soon(() => this.#nextTick());
    if (this.#acquired < this.#perTurn) {
      this.#acquired += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #nextTick(): void {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#acquired = next.length;
    if (next.length > 0) this.#clock.soon(() => this.#nextTick());
    for (const resolve of next) resolve();
  }
}
