import type { Clock } from '../base/clock.ts';

interface PollEntry<Seen> {
  /** When the poll started, on the monotonic clock. */
  readonly at: number;
  readonly seen: Promise<Seen>;
}

/** Polls logs, shared by all followers of the same log: a recent result is reused. */
export class SharedPolls<Seen> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #coalesceMs: number;
  readonly #look: (file: string, complete: boolean) => Promise<Seen>;
  readonly #looks = new Map<string, PollEntry<Seen>>();

  /** @param coalesceMs most age of a reused result */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    coalesceMs: number,
    look: (file: string, complete: boolean) => Promise<Seen>,
  ) {
    this.#clock = clock;
    this.#coalesceMs = coalesceMs;
    this.#look = look;
  }

  /** Returns the state of a log; with `complete`, as seen after its writer was done. */
  look(file: string, complete: boolean): Promise<Seen> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#looks.get(key);
    if (known && now - known.at < this.#coalesceMs) return known.seen;
    const seen = this.#look(file, complete);
    this.#looks.set(key, { at: now, seen });
    return seen;
  }

  /** Clears the result for a log that has no followers any more. */
  forget(file: string): void {
    this.#looks.delete(`complete ${file}`);
    this.#looks.delete(`written ${file}`);
  }
}
