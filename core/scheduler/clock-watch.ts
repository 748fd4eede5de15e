import type { Clock } from '../base/clock.ts';

/** A jump of the wall clock. Times in epoch milliseconds. */
export interface ClockMove {
  /** The expected time, from the elapsed time. */
  readonly from: number;
  readonly to: number;
}

/** Corrections by time servers are smaller. */
const minMoveMs = 2000;

/** Compares the wall clock with the elapsed time. */
export class ClockWatch {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  #now: number;
  #monotonic: number;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
    this.#now = clock.now();
    this.#monotonic = clock.monotonic();
  }

  /** Returns how the wall clock has jumped since the last call, if it has. */
  check(): ClockMove | undefined {
    const [now, monotonic] = [this.#clock.now(), this.#clock.monotonic()];
    const from = this.#now + (monotonic - this.#monotonic);
    this.#now = now;
    this.#monotonic = monotonic;
    return Math.abs(now - from) < minMoveMs ? undefined : { from, to: now };
  }
}
