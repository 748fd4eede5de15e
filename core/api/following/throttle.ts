import type { Clock, Dispose } from '../../base/clock.ts';

/** Combines calls: the first call and all calls within a short time are passed on as one. */
export class Throttle {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #coalesceMs: number;
  readonly #notify: () => void;
  #stopTimer: Dispose | undefined;

  /** @param coalesceMs delay after the first call, in milliseconds */
  constructor(clock: Pick<Clock, 'after'>, coalesceMs: number, notify: () => void) {
    this.#clock = clock;
    this.#coalesceMs = coalesceMs;
    this.#notify = notify;
  }

  /** Schedules a call. */
  readonly note = (): void => {
    this.#stopTimer ??= this.#clock.after(this.#coalesceMs, () => {
      this.#stopTimer = undefined;
      this.#notify();
    });
  };

  /** Cancels the scheduled call. */
  close(): void {
    this.#stopTimer?.();
  }
}
