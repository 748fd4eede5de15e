import type { Clock, Dispose } from '../base/clock.ts';
import { errorCodes } from '../base/error-codes.ts';
import { failPoint } from '../base/fail-point.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { Health, HealthCode } from '../base/health.ts';
import type { Logger } from '../base/logger.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { BatchOutcome, EventBatch, EventCursor, RunStore } from '../store/types/runs.ts';

/** Another host owns the run now, or its stored state contradicts ours: this host must stop driving it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  /** Message for the log. If this host still owns the run, it drives it again later (recovery/run-recovery.ts). */
  readonly report: string;

  constructor(reason: string, outcome: 'stale' | 'illegal' = 'stale') {
    super(reason);
    this.report =
      outcome === 'stale'
        ? 'Another host took over a run'
        : 'Released a run because the database has a different owner or state';
  }
}

/** Writes the events of one run with one epoch, in order. */
export interface RunWriter {
  /** Adds an event to the commit of the current tick. After a rejected event, nothing more is written. */
  write(event: RunEvent): void;
  /** Resolves when everything written so far is on disk; rejects with `RunLost` or the store's error. */
  durable(): Promise<void>;
}

/** The events that a run still has to write, and why it may not write any more. */
interface WriterState {
  readonly runKey: number;
  readonly epoch: number;
  events: { at: number; event: RunEvent }[];
  /** How many of them were in a failed commit. */
  inDoubt: number;
  waiters: { resolve(): void; reject(reason: Error): void }[];
  refused: Error | undefined;
}

/** Delay before a commit that the store could not accept is retried, in milliseconds. */
const retryMs = 1000;
/** How long a low-priority event waits for another commit to join, in milliseconds. */
const deferMs = 50;

/**
 * The only writer of run events. All events of one event-loop tick, of all runs of this host, go into one durable
 * commit: with `synchronous=FULL` the sync is the cost, not the rows. While the store cannot accept events, because the
 * disk is full or another process holds its lock, nothing is dropped: the runs wait, and the commit is retried until it
 * succeeds. If only the response was lost, the store detects what is already written. A run whose events the store
 * rejects permanently is released.
 */
export class Recorder {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onWritten: () => void;
  readonly #nextRead: () => EventCursor | undefined;
  readonly #health: Health | undefined;
  readonly #pending = new Set<WriterState>();
  #scheduled = false;
  #cancelDeferred: Dispose | undefined;
  /** Why commits fail at the moment. */
  #problem: HealthCode | undefined;

  constructor(options: {
    store: RunStore;
    clock: Clock;
    logger: Logger;
    onWritten: () => void;
    /** The read of events that `onWritten` will make. */
    nextRead?: () => EventCursor | undefined;
    health?: Health;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#onWritten = options.onWritten;
    this.#nextRead = options.nextRead ?? (() => undefined);
    this.#health = options.health;
  }

  /** Returns a writer for a run that this host has claimed with `epoch`. */
  openWriter(runKey: number, epoch: number): RunWriter {
    const state: WriterState = { runKey, epoch, events: [], inDoubt: 0, waiters: [], refused: undefined };
    return {
      write: (event) => {
        if (state.refused !== undefined) return;
        state.events.push({ at: this.#clock.now(), event });
        if (canDefer(event)) this.#scheduleDeferred(state);
        else this.#schedule(state);
      },
      durable: () =>
        new Promise((resolve, reject) => {
          state.waiters.push({ resolve, reject });
          this.#schedule(state);
        }),
    };
  }

  /** Commits everything written so far at once, as far as the store accepts it: the last chance before it is closed. */
  flush(): void {
    this.#commit();
  }

  #schedule(state: WriterState): void {
    this.#pending.add(state);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#clock.soon(() => this.#commit());
  }

  #scheduleDeferred(state: WriterState): void {
    this.#pending.add(state);
    this.#cancelDeferred ??= this.#clock.after(deferMs, () => this.#commit());
  }

  #commit(): void {
    this.#scheduled = false;
    this.#cancelDeferred?.();
    this.#cancelDeferred = undefined;
    const writing = [...this.#pending].filter(({ events }) => events.length > 0);
    if (!this.#append(writing)) return this.#tryLater();
    if (this.#problem !== undefined) this.#health?.clear(this.#problem);
    this.#problem = undefined;
    const completed = [...this.#pending];
    this.#pending.clear();
    completed.forEach(settle);
    if (writing.some(({ refused }) => refused === undefined)) this.#onWritten();
  }

  /**
   * Gives each run its outcome; returns false when the store cannot accept events yet and some runs have no outcome.
   */
  #append(states: readonly WriterState[]): boolean {
    if (states.length === 0) return true;
    try {
      failPoint('commit.before');
      const outcomes = this.#store.append(states.map(toBatch), this.#nextRead());
      failPoint('commit.after');
      outcomes.forEach((outcome, index) => accept(states[index]!, outcome));
      return true;
    } catch (cause) {
      const error = toAppError(cause);
      if (errorCodes[error.code].retryable) {
        for (const state of states) state.inDoubt = state.events.length;
        this.#notifyWaiting(error);
        return false;
      }
      // The store may reject the events of one run; the other runs must not fail with it.
      if (states.length > 1) return states.every((state) => this.#append([state]));
      this.#logger.error('Cannot write the events of a run', toErrorFields(error));
      states[0]!.refused = error;
      return true;
    }
  }

  /** Reports once per outage why the runs wait; the store's message contains the solution. */
  #notifyWaiting(error: AppError): void {
    if (this.#problem !== undefined) return;
    this.#problem = error.code === 'storage_full' ? 'storage_full' : 'unavailable';
    this.#health?.report(this.#problem, error.message);
    this.#logger.error('Runs are waiting until events can be written', {
      everyMs: retryMs,
      ...toErrorFields(error),
    });
  }

  /** Keeps all events for the retry, including new ones. */
  #tryLater(): void {
    this.#scheduled = true;
    this.#clock.after(retryMs, () => this.#commit());
  }
}

/**
 * Whether an event can wait for the next commit. A process is found by its tag until its pid is stored; most steps end
 * before then, and a chain of short steps saves every second commit.
 */
const canDefer = (event: RunEvent): boolean => event.type === 'step.spawned';

const toErrorFields = ({ code, message }: AppError) => ({ code, message });

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
