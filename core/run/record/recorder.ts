import type { Clock, Dispose } from '../../base/clock.ts';
import { errorCodes } from '../../base/error-codes.ts';
import { failPoint } from '../../base/fail-point.ts';
import { toAppError, type AppError } from '../../base/errors.ts';
import type { Health, HealthCode } from '../../base/health.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunEvent } from '../../model/run/run-event.ts';
import type { BatchOutcome, EventBatch, RunStore } from '../ports.ts';

/** Another host owns the run now, or its stored state contradicts ours: this host must let go of it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  /** For the log. Of a run that is still this host's, it is taken up again (takeover/take-overs.ts). */
  readonly report: string;

  constructor(reason: string, outcome: 'stale' | 'illegal' = 'stale') {
    super(reason);
    this.report =
      outcome === 'stale'
        ? 'Lost a run to another host'
        : 'Released a run because the database has a different owner or state';
  }
}

/** Writes the events of one run under one epoch, in order. */
export interface RunWriter {
  /** Adds an event to the current turn's commit. Once an event was refused, nothing more is written. */
  write(event: RunEvent): void;
  /** Resolves when everything written so far is on disk; rejects with `RunLost` or the store's refusal. */
  durable(): Promise<void>;
}

/** What a run still has to write, and why it may not any more. */
interface WriterState {
  readonly runKey: number;
  readonly epoch: number;
  events: { at: number; event: RunEvent }[];
  /** How many of them were in a commit that has failed. */
  inDoubt: number;
  waiters: { resolve(): void; reject(reason: Error): void }[];
  refused: Error | undefined;
}

/** How long a commit that the store could not take yet waits before it is tried again. */
const retryMs = 1000;
/** How long an event that is in no hurry waits for a commit to go with. */
const restMs = 50;

/**
 * The only writer of run events. What happens in one turn of the loop, over all runs of this host,
 * is one durable commit: with `synchronous=FULL` the sync is the cost, not the rows.
 * While the store cannot take events, because the disk is full or another process holds its lock, nothing
 * is dropped: the runs wait, and the commit is repeated until it succeeds; the store finds what of it was written when
 * only the answer was lost. A run whose events the store
 * refuses for a reason that does not pass is let go of.
 */
export class Recorder {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onWritten: () => void;
  readonly #health: Health | undefined;
  readonly #pending = new Set<WriterState>();
  #scheduled = false;
  #disposeRest: Dispose | undefined;
  /** Why commits are not taken at the moment. */
  #trouble: HealthCode | undefined;

  constructor(options: {
    store: RunStore;
    clock: Clock;
    logger: Logger;
    onWritten: () => void;
    health?: Health;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#onWritten = options.onWritten;
    this.#health = options.health;
  }

  /** A writer for a run this host has claimed under `epoch`. */
  openWriter(runKey: number, epoch: number): RunWriter {
    const state: WriterState = { runKey, epoch, events: [], inDoubt: 0, waiters: [], refused: undefined };
    return {
      write: (event) => {
        if (state.refused !== undefined) return;
        state.events.push({ at: this.#clock.now(), event });
        if (mayRest(event)) this.#scheduleRested(state);
        else this.#schedule(state);
      },
      durable: () =>
        new Promise((resolve, reject) => {
          state.waiters.push({ resolve, reject });
          this.#schedule(state);
        }),
    };
  }

  /** Commits what has been written so far at once, as far as the store takes it: the last chance before it is closed. */
  flush(): void {
    this.#commit();
  }

  #schedule(state: WriterState): void {
    this.#pending.add(state);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#clock.soon(() => this.#commit());
  }

  #scheduleRested(state: WriterState): void {
    this.#pending.add(state);
    this.#disposeRest ??= this.#clock.after(restMs, () => this.#commit());
  }

  #commit(): void {
    this.#scheduled = false;
    this.#disposeRest?.();
    this.#disposeRest = undefined;
    const writing = [...this.#pending].filter(({ events }) => events.length > 0);
    if (!this.#append(writing)) return this.#tryLater();
    if (this.#trouble !== undefined) this.#health?.clear(this.#trouble);
    this.#trouble = undefined;
    const settled = [...this.#pending];
    this.#pending.clear();
    settled.forEach(settle);
    if (writing.some(({ refused }) => refused === undefined)) this.#onWritten();
  }

  /** Gives each run its outcome; false when the store cannot take them yet and some have none. */
  #append(states: readonly WriterState[]): boolean {
    if (states.length === 0) return true;
    try {
      failPoint('commit.before');
      const outcomes = this.#store.append(states.map(toBatch));
      failPoint('commit.after');
      outcomes.forEach((outcome, index) => accept(states[index]!, outcome));
      return true;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (errorCodes[error.code].retryable) {
        for (const state of states) state.inDoubt = state.events.length;
        this.#tellOfWaiting(error);
        return false;
      }
      // One run's events may be what the store cannot take: the others must not go down with it.
      if (states.length > 1) return states.every((state) => this.#append([state]));
      this.#logger.error('Cannot write the events of a run', facts(error));
      states[0]!.refused = error;
      return true;
    }
  }

  /** Says once for all tries why nothing goes on; the store's message says what to do. */
  #tellOfWaiting(error: AppError): void {
    if (this.#trouble !== undefined) return;
    this.#trouble = error.code === 'storage_full' ? 'storage_full' : 'unavailable';
    this.#health?.report(this.#trouble, error.message);
    this.#logger.error('Runs are waiting until events can be written', { everyMs: retryMs, ...facts(error) });
  }

  /** Keeps everything, those events included that are written meanwhile. */
  #tryLater(): void {
    this.#scheduled = true;
    this.#clock.after(retryMs, () => this.#commit());
  }
}

/**
 * A process is found by its tag until its number is stored, so that event goes with the next commit:
 * most steps end before it is due alone, and a chain of short steps saves every second commit.
 */
const mayRest = (event: RunEvent): boolean => event.type === 'step.spawned';

const facts = ({ code, message }: AppError) => ({ code, message });

const toBatch = ({ runKey, epoch, events, inDoubt }: WriterState): EventBatch => ({
  runKey,
  epoch,
  events,
  ...(inDoubt > 0 && { inDoubt }),
});

function accept(state: WriterState, outcome: BatchOutcome): void {
  state.inDoubt = 0;
  if (outcome.outcome === 'written') state.events = [];
  else state.refused = new RunLost(outcome.reason, outcome.outcome);
}

function settle(state: WriterState): void {
  const { waiters, refused } = state;
  state.events = [];
  state.waiters = [];
  for (const waiter of waiters) {
    if (refused === undefined) waiter.resolve();
    else waiter.reject(refused);
  }
}
