import type { ScheduledDag } from './index/scheduled-dag.ts';
import { InstantHeap } from './instant-heap.ts';
import { findDueSlots, findNextInstant, type CatchupDefaults, type DueSlots } from './slots/due-slots.ts';

/** What is due of one workflow. */
export interface DueDag extends DueSlots {
  readonly dag: ScheduledDag;
}

/** When what is due next. To look whether something is costs the same for one workflow and for ten thousand. */
export class Agenda {
  readonly #defaults: CatchupDefaults;
  /** An entry counts while its workflow has it. */
  readonly #heap = new InstantHeap<Entry>();
  readonly #entries = new Map<string, Entry>();

  constructor(defaults: CatchupDefaults) {
    this.#defaults = defaults;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Puts a workflow on the agenda, or its changed schedule. @param after what is due after this instant counts */
  set(dag: ScheduledDag, after: number): void {
    this.#place({ dag, after });
  }

  clear(): void {
    this.#heap.clear();
    this.#entries.clear();
  }

  remove(dag: string): void {
    this.#entries.delete(dag);
  }

  /** After the wall clock went back: what lies between is looked at again. */
  rewind(now: number): void {
    const entries = [...this.#entries.values()];
    this.#heap.clear();
    for (const { dag, after } of entries) this.#place({ dag, after: Math.min(after, now) });
  }

  /** The next workflow of which something is due, which is then off the agenda until what comes after it. */
  take(now: number): DueDag | undefined {
    for (;;) {
      const entry = this.#heap.take(now);
      if (entry === undefined) return undefined;
      const { dag, after } = entry;
      if (this.#entries.get(dag.dag) !== entry) continue;
      const due = findDueSlots(dag, after, now, this.#defaults);
      this.#place({ dag, after: now });
      return { dag, ...due };
    }
  }

  /** The next instant at which something is due. */
  get next(): number | undefined {
    return this.#heap.earliest;
  }

  #place(entry: Entry): void {
    this.#entries.set(entry.dag.dag, entry);
    const at = findNextInstant(entry.dag, entry.after, this.#defaults.zone);
    if (at !== undefined) this.#heap.add(at, entry);
  }
}

interface Entry {
  readonly dag: ScheduledDag;
  /** Everything up to this instant has been handed out. */
  readonly after: number;
}
