import type { Clock } from '../base/clock.ts';

interface Look<Seen> {
  /** When it began, by the monotonic clock. */
  readonly at: number;
  readonly seen: Promise<Seen>;
}

/** Looks at logs, one for all who follow the same one: what was seen a moment ago the next one is told as well. */
export class SharedLooks<Seen> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #momentMs: number;
  readonly #look: (file: string, complete: boolean) => Promise<Seen>;
  readonly #looks = new Map<string, Look<Seen>>();

  /** @param momentMs how old what is told may be */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    momentMs: number,
    look: (file: string, complete: boolean) => Promise<Seen>,
  ) {
    this.#clock = clock;
    this.#momentMs = momentMs;
    this.#look = look;
  }

  /** What there is to see of a log; with `complete` as somebody has seen it who knew, too, that nothing more is written. */
  look(file: string, complete: boolean): Promise<Seen> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#looks.get(key);
    if (known && now - known.at < this.#momentMs) return known.seen;
    const seen = this.#look(file, complete);
    this.#looks.set(key, { at: now, seen });
    return seen;
  }

  /** Forgets what was seen of a log that nobody follows any more. */
  forget(file: string): void {
    this.#looks.delete(`complete ${file}`);
    this.#looks.delete(`written ${file}`);
  }
}
