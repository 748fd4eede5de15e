import type { Clock, Dispose } from '../../base/clock.ts';

/** Combines calls: the first call and all calls within a short time are passed on as one. */
export class SparingTeller {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #momentMs: number;
  readonly #tell: () => void;
  #stopTimer: Dispose | undefined;

  /** @param momentMs delay after the first call, in milliseconds */
  constructor(clock: Pick<Clock, 'after'>, momentMs: number, tell: () => void) {
    this.#clock = clock;
    this.#momentMs = momentMs;
    this.#tell = tell;
  }

  /** Schedules a call. */
  readonly note = (): void => {
    this.#stopTimer ??= this.#clock.after(this.#momentMs, () => {
      this.#stopTimer = undefined;
      this.#tell();
    });
  };

  /** Cancels the scheduled call. */
  close(): void {
    this.#stopTimer?.();
  }
}
