import type { FireTimeRef } from '../../model/run/fire-time.ts';
import type { FireTimeResult } from './fire-time-runner.ts';

/** Most slots processed at once: most of the time they wait for commands in parameters. */
const maxConcurrent = 16;

/** Slots that are due and not decided yet. */
export class FireTimeQueue {
  readonly #run: (fireTime: FireTimeRef) => Promise<FireTimeResult>;
  readonly #onEmpty: () => void;
  #waiting: FireTimeRef[] = [];
  #next = 0;
  readonly #running = new Map<FireTimeRef, Promise<void>>();
  readonly #later = new Set<FireTimeRef>();

  constructor(run: (fireTime: FireTimeRef) => Promise<FireTimeResult>, onEmpty: () => void) {
    this.#run = run;
    this.#onEmpty = onEmpty;
  }

  add(fireTimes: readonly FireTimeRef[]): void {
    for (const fireTime of fireTimes) this.#waiting.push(fireTime);
    this.#fill();
  }

  /** Retries the slots that could not be written. */
  retry(): void {
    const fireTimes = [...this.#later];
    this.#later.clear();
    if (fireTimes.length > 0) this.add(fireTimes);
  }

  /** Removes the slots that have not started. */
  clear(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#later.clear();
  }

  /** The earliest instant of an undecided slot. */
  get earliest(): number | undefined {
    let earliest: number | undefined;
    const note = ({ at }: FireTimeRef): void => {
      if (earliest === undefined || at < earliest) earliest = at;
    };
    for (let index = this.#next; index < this.#waiting.length; index += 1) note(this.#waiting[index]!);
    for (const fireTime of this.#running.keys()) note(fireTime);
    for (const fireTime of this.#later) note(fireTime);
    return earliest;
  }

  /** Resolves when everything that was started has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #fill(): void {
    while (this.#running.size < maxConcurrent && this.#next < this.#waiting.length) {
      const fireTime = this.#waiting[this.#next]!;
      this.#next += 1;
      const done = this.#run(fireTime).then((result) => {
        this.#running.delete(fireTime);
        if (result === 'later') this.#later.add(fireTime);
        this.#fill();
      });
      this.#running.set(fireTime, done);
    }
    if (this.#next < this.#waiting.length || this.#running.size > 0) return;
    this.#waiting = [];
    this.#next = 0;
    this.#onEmpty();
  }
}
