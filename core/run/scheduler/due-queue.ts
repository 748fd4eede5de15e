import type { Logger } from '../../base/logger.ts';
import type { ScheduleNote } from '../../model/fire-time.ts';
import type { Clock } from '../../base/clock.ts';
import type { ScheduledDag } from './dag-index.ts';
import {
  findDueFireTimes,
  findNextInstant,
  type CatchupDefaults,
  type DueFireTimes,
} from './due-fire-times.ts';

/** The due slots of one workflow. */
export interface DueDag extends DueFireTimes {
  readonly dag: ScheduledDag;
}

/** Orders workflows by their next due time. A check costs the same for one workflow and for ten thousand. */
export class DueQueue {
  readonly #defaults: CatchupDefaults;
  /** An entry is valid while its workflow has it. */
  readonly #heap = new TimeHeap<Entry>();
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

/**
 * A heap of items by their due instant, the earliest first; adding or removing one costs the logarithm of their number.
 */
export class TimeHeap<Item> {
  readonly #items: { readonly at: number; readonly item: Item }[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** The earliest instant, epoch milliseconds. */
  get earliest(): number | undefined {
    return this.#items[0]?.at;
  }

  add(at: number, item: Item): void {
    const items = this.#items;
    let index = items.length;
    items.push({ at, item });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]!.at <= at) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = { at, item };
  }

  /** Removes and returns the earliest item when it is due at an instant. */
  take(now: number): Item | undefined {
    const first = this.#items[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#items.pop()!;
    if (this.#items.length > 0) this.#sink(last);
    return first.item;
  }

  clear(): void {
    this.#items.length = 0;
  }

  #sink(moved: { readonly at: number; readonly item: Item }): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child += 1;
      if (items[child]!.at >= moved.at) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = moved;
  }
}

/** A jump of the wall clock. Times in epoch milliseconds. */
export interface ClockMove {
  /** The expected time, from the elapsed time. */
  readonly from: number;
  readonly to: number;
}

/** Corrections by time servers are smaller. */
const minMoveMs = 2000;

/** Compares the wall clock with the elapsed time. */
export class ClockWatch {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  #now: number;
  #monotonic: number;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
    this.#now = clock.now();
    this.#monotonic = clock.monotonic();
  }

  /** Returns how the wall clock has jumped since the last call, if it has. */
  check(): ClockMove | undefined {
    const [now, monotonic] = [this.#clock.now(), this.#clock.monotonic()];
    const from = this.#now + (monotonic - this.#monotonic);
    this.#now = now;
    this.#monotonic = monotonic;
    return Math.abs(now - from) < minMoveMs ? undefined : { from, to: now };
  }
}

/** Most workflows that get a note of their own per check. */
const maxNotes = 20;

/** Reports missed starts, once for each workflow, or in one sentence for very many. */
export class MissedRunsReporter {
  readonly #missed: DueDag[] = [];

  add(due: DueDag): void {
    if (due.missed + due.caughtUp > 0) this.#missed.push(due);
  }

  /** Logs the collected starts, and returns the notes to store. */
  report(at: number, logger: Logger): ScheduleNote[] {
    const missed = this.#missed.splice(0);
    const notes = missed.slice(0, maxNotes).map((due): ScheduleNote => {
      const message = formatMissedRuns(due);
      logger.info(`${due.dag.dag}: ${message}`);
      return { at, kind: 'missed', dag: due.dag.dag, message };
    });
    if (missed.length <= maxNotes) return notes;
    const message = `Missed scheduled runs of ${missed.length - maxNotes} more workflows.`;
    logger.info(message);
    return [...notes, { at, kind: 'missed', message }];
  }
}

function formatMissedRuns({ missed, caughtUp, isMissedPart }: DueDag): string {
  const count = missed + caughtUp;
  const countText = isMissedPart ? `at least ${count}` : String(count);
  const started =
    caughtUp === 0
      ? 'skipped'
      : caughtUp === count
        ? 'started now'
        : 'skipped, except the most recent one, which is started now';
  return count === 1
    ? `One scheduled run was missed and is ${started}.`
    : `${countText} scheduled runs were missed and are ${started}.`;
}
