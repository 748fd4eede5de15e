import type { Clock } from '../base/clock.ts';

interface PollEntry<Result> {
  /** When the poll started, on the monotonic clock. */
  readonly at: number;
  readonly result: Promise<Result>;
}

/** Polls logs, shared by all followers of the same log: a recent result is reused. */
export class SharedPolls<Result> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #coalesceMs: number;
  readonly #look: (file: string, complete: boolean) => Promise<Result>;
  readonly #entries = new Map<string, PollEntry<Result>>();

  /** @param coalesceMs most age of a reused result */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    coalesceMs: number,
    look: (file: string, complete: boolean) => Promise<Result>,
  ) {
    this.#clock = clock;
    this.#coalesceMs = coalesceMs;
    this.#look = look;
  }

  /** Returns the state of a log; with `complete`, as seen after its writer was done. */
  look(file: string, complete: boolean): Promise<Result> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known && now - known.at < this.#coalesceMs) return known.result;
    const result = this.#look(file, complete);
    this.#entries.set(key, { at: now, result });
    return result;
  }

  /** Clears the result for a log that has no followers any more. */
  forget(file: string): void {
    this.#entries.delete(`complete ${file}`);
    this.#entries.delete(`written ${file}`);
  }
}
