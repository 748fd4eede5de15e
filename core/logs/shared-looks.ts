import type { Clock } from '../base/clock.ts';

interface Look<Seen> {
  /** When the poll started, on the monotonic clock. */
  readonly at: number;
  readonly seen: Promise<Seen>;
}

/** Polls logs, shared by all followers of the same log: a recent result is reused. */
export class SharedLooks<Seen> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #momentMs: number;
  readonly #look: (file: string, complete: boolean) => Promise<Seen>;
  readonly #looks = new Map<string, Look<Seen>>();

  /** @param momentMs most age of a reused result */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    momentMs: number,
    look: (file: string, complete: boolean) => Promise<Seen>,
  ) {
    this.#clock = clock;
    this.#momentMs = momentMs;
    this.#look = look;
  }

  /** Returns the state of a log; with `complete`, as seen after its writer was done. */
  look(file: string, complete: boolean): Promise<Seen> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#looks.get(key);
    if (known && now - known.at < this.#momentMs) return known.seen;
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
