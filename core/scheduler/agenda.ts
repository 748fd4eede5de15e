import type { ScheduledDag } from './index/scheduled-dag.ts';
import { InstantHeap } from './instant-heap.ts';
import {
  findDueFireTimes,
  findNextInstant,
  type CatchupDefaults,
  type DueFireTimes,
} from './fire-times/due-fire-times.ts';

/** The due slots of one workflow. */
export interface DueDag extends DueFireTimes {
  readonly dag: ScheduledDag;
}

/** Orders workflows by their next due time. A check costs the same for one workflow and for ten thousand. */
export class Agenda {
  readonly #defaults: CatchupDefaults;
  /** An entry is valid while its workflow has it. */
  readonly #heap = new InstantHeap<Entry>();
  readonly #entries = new Map<string, Entry>();

  constructor(defaults: CatchupDefaults) {
    this.#defaults = defaults;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds a workflow, or replaces its schedule. @param after slots after this instant count */
  set(dag: ScheduledDag, after: number): void {
    this.#insert({ dag, after });
  }

  clear(): void {
    this.#heap.clear();
    this.#entries.clear();
  }

  remove(dag: string): void {
    this.#entries.delete(dag);
  }

  /** Call this after the wall clock was set back: the time in between is checked again. */
  rewind(now: number): void {
    const entries = [...this.#entries.values()];
    this.#heap.clear();
    for (const { dag, after } of entries) this.#insert({ dag, after: Math.min(after, now) });
  }

  /** Removes and returns the next due workflow; the caller adds it again with its later slots. */
  take(now: number): DueDag | undefined {
    for (;;) {
      const entry = this.#heap.take(now);
      if (entry === undefined) return undefined;
      const { dag, after } = entry;
      if (this.#entries.get(dag.dag) !== entry) continue;
      const due = findDueFireTimes(dag, after, now, this.#defaults);
      this.#insert({ dag, after: now });
      return { dag, ...due };
    }
  }

  /** The next due instant. */
  get next(): number | undefined {
    return this.#heap.earliest;
  }

  #insert(entry: Entry): void {
    this.#entries.set(entry.dag.dag, entry);
    const at = findNextInstant(entry.dag, entry.after, this.#defaults.zone);
    if (at !== undefined) this.#heap.add(at, entry);
  }
}

interface Entry {
  readonly dag: ScheduledDag;
  /** Everything up to this instant has been returned. */
  readonly after: number;
}
