import type { SlotRef } from '../../model/run/slot.ts';
import type { SlotResult } from './slot-runner.ts';

/** Most slots processed at once: most of the time they wait for commands in parameters. */
const mostAtOnce = 16;

/** Slots that are due and not decided yet. */
export class SlotQueue {
  readonly #run: (slot: SlotRef) => Promise<SlotResult>;
  readonly #onEmpty: () => void;
  #waiting: SlotRef[] = [];
  #next = 0;
  readonly #running = new Map<SlotRef, Promise<void>>();
  readonly #later = new Set<SlotRef>();

  constructor(run: (slot: SlotRef) => Promise<SlotResult>, onEmpty: () => void) {
    this.#run = run;
    this.#onEmpty = onEmpty;
  }

  add(slots: readonly SlotRef[]): void {
    for (const slot of slots) this.#waiting.push(slot);
    this.#fill();
  }

  /** Retries the slots that could not be written. */
  retry(): void {
    const slots = [...this.#later];
    this.#later.clear();
    if (slots.length > 0) this.add(slots);
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
    const note = ({ at }: SlotRef): void => {
      if (earliest === undefined || at < earliest) earliest = at;
    };
    for (let index = this.#next; index < this.#waiting.length; index += 1) note(this.#waiting[index]!);
    for (const slot of this.#running.keys()) note(slot);
    for (const slot of this.#later) note(slot);
    return earliest;
  }

  /** Resolves when everything that was started has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #fill(): void {
    while (this.#running.size < mostAtOnce && this.#next < this.#waiting.length) {
      const slot = this.#waiting[this.#next]!;
      this.#next += 1;
      const done = this.#run(slot).then((result) => {
        this.#running.delete(slot);
        if (result === 'later') this.#later.add(slot);
        this.#fill();
      });
      this.#running.set(slot, done);
    }
    if (this.#next < this.#waiting.length || this.#running.size > 0) return;
    this.#waiting = [];
    this.#next = 0;
    this.#onEmpty();
  }
}
