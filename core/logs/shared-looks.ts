import type { Clock } from '../base/clock.ts';
import type { LogExtent } from '../contract/logs.ts';

interface Look {
  /** When it began, by the monotonic clock. */
  readonly at: number;
  readonly extent: Promise<LogExtent>;
}

/** Looks at logs, one for all who follow the same one: what was seen a moment ago the next one is told as well. */
export class SharedLooks {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #momentMs: number;
  readonly #look: (file: string, complete: boolean) => Promise<LogExtent>;
  readonly #looks = new Map<string, Look>();

  /** @param momentMs how old what is told may be */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    momentMs: number,
    look: (file: string, complete: boolean) => Promise<LogExtent>,
  ) {
    this.#clock = clock;
    this.#momentMs = momentMs;
    this.#look = look;
  }

  /** How far a log reaches; with `complete` as somebody has seen it who knew, too, that nothing more is written. */
  look(file: string, complete: boolean): Promise<LogExtent> {
    const key = `${complete ? 'complete' : 'written'} ${file}`;
    const now = this.#clock.monotonic();
    const known = this.#looks.get(key);
    if (known && now - known.at < this.#momentMs) return known.extent;
    const extent = this.#look(file, complete);
    this.#looks.set(key, { at: now, extent });
    return extent;
  }

  /** Forgets what was seen of a log that nobody follows any more. */
  forget(file: string): void {
    this.#looks.delete(`complete ${file}`);
    this.#looks.delete(`written ${file}`);
  }
}
