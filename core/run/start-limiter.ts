import type { Clock } from '../base/clock.ts';

/**
 * Lets a few callers through per event-loop tick. Starting a process blocks the loop for about a millisecond, so a
 * thousand ready steps at once would freeze everything else.
 */
export class StartLimiter {
  readonly #clock: Clock;
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #passed = 0;

  constructor(clock: Clock, perTurn: number) {
    this.#clock = clock;
    this.#perTurn = perTurn;
  }

  /** Resolves when it is the caller's turn, in order of the calls. */
  pass(): Promise<void> {
    if (this.#passed === 0) this.#clock.soon(() => this.#nextTurn());
    if (this.#passed < this.#perTurn) {
      this.#passed += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #nextTurn(): void {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#passed = next.length;
    if (next.length > 0) this.#clock.soon(() => this.#nextTurn());
    for (const resolve of next) resolve();
  }
}
