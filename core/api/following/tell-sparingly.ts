import type { Clock, Dispose } from '../../base/clock.ts';

/** Passes calls on, the first of them and all that follow it within a moment as one. */
export class SparingTeller {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #momentMs: number;
  readonly #tell: () => void;
  #stopTimer: Dispose | undefined;

  /** @param momentMs how long after the first call it is passed on, milliseconds */
  constructor(clock: Pick<Clock, 'after'>, momentMs: number, tell: () => void) {
    this.#clock = clock;
    this.#momentMs = momentMs;
    this.#tell = tell;
  }

  /** Has it told in a moment. */
  readonly note = (): void => {
    this.#stopTimer ??= this.#clock.after(this.#momentMs, () => {
      this.#stopTimer = undefined;
      this.#tell();
    });
  };

  /** Nothing is told any more of what has been noted. */
  close(): void {
    this.#stopTimer?.();
  }
}
