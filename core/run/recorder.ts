import type { Clock } from '../base/clock.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { BatchOutcome, EventBatch, RunStore } from './ports.ts';

/** Another host owns the run now, or its stored state contradicts ours: this host must let go of it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/** Writes the events of one run under one epoch, in order. */
export interface RunWriter {
  /** Adds an event to the current turn's commit. */
  write(event: RunEvent): void;
  /** Resolves when everything written so far is on disk; rejects with `RunLost`. */
  durable(): Promise<void>;
}

interface Pending {
  readonly runKey: number;
  readonly epoch: number;
  events: { at: number; event: RunEvent }[];
  waiters: { resolve(): void; reject(reason: Error): void }[];
}

/** How long a commit that found the disk full waits before it is tried again. */
const fullDiskRetryMs = 1000;

/**
 * The only writer of run events. What happens in one turn of the loop, over all runs of this host,
 * is one durable commit (DESIGN D3): with `synchronous=FULL` the sync is the cost, not the rows.
 * When the disk is full nothing is dropped: the runs wait, and the commit is repeated until it succeeds.
 * Any other failure of the store ends this host's part in the runs concerned.
 */
export class Recorder {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onWritten: () => void;
  #pending = new Map<number, Pending>();
  #scheduled = false;

  constructor(options: { store: RunStore; clock: Clock; logger: Logger; onWritten: () => void }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#onWritten = options.onWritten;
  }

  /** A writer for a run this host has claimed under `epoch`. */
  openWriter(runKey: number, epoch: number): RunWriter {
    return {
      write: (event) => void this.#pendingOf(runKey, epoch).events.push({ at: this.#clock.now(), event }),
      durable: () =>
        new Promise((resolve, reject) => this.#pendingOf(runKey, epoch).waiters.push({ resolve, reject })),
    };
  }

  #pendingOf(runKey: number, epoch: number): Pending {
    let pending = this.#pending.get(runKey);
    if (pending === undefined) {
      pending = { runKey, epoch, events: [], waiters: [] };
      this.#pending.set(runKey, pending);
    }
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#clock.soon(() => this.#commit());
    }
    return pending;
  }

  #commit(): void {
    const taken = [...this.#pending.values()];
    this.#pending = new Map();
    this.#scheduled = false;
    const batches: EventBatch[] = taken.filter((pending) => pending.events.length > 0);
    let outcomes: BatchOutcome[];
    try {
      outcomes = batches.length === 0 ? [] : this.#store.append(batches);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'storage_full') this.#putBack(taken, error);
      else for (const pending of taken) settle(pending, error.message);
      return;
    }
    const lost = new Map<number, string>();
    outcomes.forEach((outcome, index) => {
      if (outcome.outcome !== 'written') lost.set(batches[index]!.runKey, outcome.reason);
    });
    for (const pending of taken) settle(pending, lost.get(pending.runKey));
    if (batches.length > lost.size) this.#onWritten();
  }

  /** Keeps the order of each run's events: those taken come before those written since. */
  #putBack(taken: readonly Pending[], error: AppError): void {
    this.#logger.error('Run events cannot be written; trying again', { message: error.message });
    for (const pending of taken) {
      const since = this.#pending.get(pending.runKey);
      if (since !== undefined) {
        pending.events.push(...since.events);
        pending.waiters.push(...since.waiters);
      }
      this.#pending.set(pending.runKey, pending);
    }
    this.#scheduled = true;
    this.#clock.after(fullDiskRetryMs, () => this.#commit());
  }
}

function settle(pending: Pending, lostBecause: string | undefined): void {
  for (const waiter of pending.waiters) {
    if (lostBecause === undefined) waiter.resolve();
    else waiter.reject(new RunLost(lostBecause));
  }
}
