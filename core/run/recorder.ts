import type { Clock, Dispose } from '../base/clock.ts';
import { errorCodes } from '../base/error-codes.ts';
import { failPoint } from '../base/fail-point.ts';
import { toAppError, type AppError } from '../base/errors.ts';
import type { Health, HealthCode } from '../base/health.ts';
import type { Logger } from '../base/logger.ts';
import { CoalescedTask } from '../base/turns.ts';
import type { RecordedEvent, RunEvent } from '../model/run-event.ts';
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

type TimedEvent = EventBatch['events'][number];

interface Waiter {
  resolve(): void;
  reject(reason: Error): void;
}

/** The events that a run still has to write, and why it may not write any more. */
interface WriterState {
  readonly runKey: number;
  readonly epoch: number;
  events: TimedEvent[];
  /** How many of them were in a failed commit. */
  inDoubt: number;
  waiters: Waiter[];
  /** Why the store rejects its events. */
  rejection: Error | undefined;
}

/** What a commit writes of a run. */
interface Write {
  readonly state: WriterState;
  readonly events: readonly TimedEvent[];
  readonly waiters: readonly Waiter[];
  /** Whether it has an outcome. */
  isDone: boolean;
}

/** Delay before a commit that the store could not accept is retried, in milliseconds. */
const retryMs = 1000;
/** How long a low-priority event waits for another commit to join, in milliseconds. */
const deferMs = 50;

/** Why nothing is committed yet: a retry also delays urgent events, a deferral ends with the next commit. */
interface Delay {
  readonly reason: 'deferral' | 'retry';
  readonly cancel: Dispose;
}

/**
 * The only writer of run events. All events of one event-loop tick, of all runs of this host, go into one durable
 * commit: with `synchronous=FULL` the sync is the cost, not the rows. Events that are written during a commit go into the
 * next one. While the store cannot accept events, because the
 * disk is full or another process holds its lock, nothing is dropped: the runs wait, and the commit is retried until it
 * succeeds. If only the response was lost, the store detects what is already written. A run whose events the store
 * rejects permanently is released.
 */
export class Recorder {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onWritten: (events: readonly RecordedEvent[]) => void;
  readonly #cursor: () => EventCursor | undefined;
  readonly #health: Health | undefined;
  readonly #pending = new Set<WriterState>();
  readonly #commits: CoalescedTask;
  #delay: Delay | undefined;
  /** Why commits fail at the moment. */
  #problem: HealthCode | undefined;

  constructor(options: {
    store: RunStore;
    clock: Clock;
    logger: Logger;
    /** @param events those after the cursor */
    onWritten: (events: readonly RecordedEvent[]) => void;
    /** Which events to read with a commit. */
    cursor?: () => EventCursor | undefined;
    health?: Health;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#onWritten = options.onWritten;
    this.#cursor = options.cursor ?? (() => undefined);
    this.#health = options.health;
    this.#commits = new CoalescedTask(options.clock, () => this.#commitPending());
  }

  /** Returns a writer for a run that this host has claimed with `epoch`. */
  openWriter(runKey: number, epoch: number): RunWriter {
    const state: WriterState = { runKey, epoch, events: [], inDoubt: 0, waiters: [], rejection: undefined };
    return {
      write: (event) => {
        if (state.rejection !== undefined) return;
        state.events.push({ at: this.#clock.now(), event });
        if (canDefer(event)) this.#defer(state);
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
  async flush(): Promise<void> {
    await this.#commits.settled();
    await this.#commitNow();
  }

  #schedule(state: WriterState): void {
    this.#pending.add(state);
    if (this.#delay?.reason !== 'retry') this.#commits.requestSoon();
  }

  #defer(state: WriterState): void {
    this.#pending.add(state);
    if (this.#delay === undefined) this.#startDelay('deferral', deferMs);
  }

  #startDelay(reason: Delay['reason'], ms: number): void {
    this.#endDelay();
    this.#delay = { reason, cancel: this.#clock.after(ms, () => void this.#commitNow()) };
  }

  #endDelay(): void {
    this.#delay?.cancel();
    this.#delay = undefined;
  }

  #commitNow(): Promise<void> {
    this.#endDelay();
    return this.#commits.request();
  }

  async #commitPending(): Promise<void> {
    if (this.#delay?.reason === 'retry') return;
    this.#endDelay();
    const writes = [...this.#pending].map(takeWrite);
    this.#pending.clear();
    const writing = writes.filter(({ events }) => events.length > 0);
    const events = await this.#append(writing);
    if (events === undefined) return this.#tryLater(writes);
    if (this.#problem !== undefined) this.#health?.clear(this.#problem);
    this.#problem = undefined;
    writes.forEach(settle);
    if (writing.some(({ state }) => state.rejection === undefined)) this.#onWritten(events);
  }

  /**
   * Gives each run its outcome. Resolves with the events after the cursor; undefined when the store cannot accept events
   * yet and some runs have no outcome.
   */
  async #append(writes: readonly Write[]): Promise<readonly RecordedEvent[] | undefined> {
    if (writes.length === 0) return [];
    try {
      failPoint('commit.before');
      const { outcomes, events } = await this.#store.append(writes.map(toBatch), this.#cursor());
      failPoint('commit.after');
      outcomes.forEach((outcome, index) => accept(writes[index]!, outcome));
      return events;
    } catch (cause) {
      const error = toAppError(cause);
      if (errorCodes[error.code].retryable) {
        for (const { state, events } of writes) state.inDoubt = events.length;
        this.#notifyWaiting(error);
        return undefined;
      }
      // The store may reject the events of one run; the other runs must not fail with it.
      if (writes.length > 1) return await this.#appendEach(writes);
      this.#logger.error('Cannot write the events of a run', toErrorFields(error));
      writes[0]!.state.rejection = error;
      writes[0]!.isDone = true;
      return [];
    }
  }

  async #appendEach(writes: readonly Write[]): Promise<readonly RecordedEvent[] | undefined> {
    let events: readonly RecordedEvent[] | undefined = [];
    for (const write of writes) {
      events = await this.#append([write]);
      if (events === undefined) return undefined;
    }
    return events;
  }

  /** Reports why the runs wait; the store's message contains the solution. Logs once per outage. */
  #notifyWaiting(error: AppError): void {
    const known = this.#problem;
    this.#problem = error.code === 'storage_full' ? 'storage_full' : 'unavailable';
    if (known !== undefined && known !== this.#problem) this.#health?.clear(known);
    this.#health?.report(this.#problem, error.message);
    if (known !== undefined) return;
    this.#logger.error('Runs are waiting until events can be written', {
      everyMs: retryMs,
      ...toErrorFields(error),
    });
  }

  /** Keeps all events for the retry, before new ones. */
  #tryLater(writes: readonly Write[]): void {
    for (const write of writes) {
      const { state, events, waiters, isDone } = write;
      if (isDone) {
        settle(write);
        continue;
      }
      state.events = [...events, ...state.events];
      state.waiters = [...waiters, ...state.waiters];
      this.#pending.add(state);
    }
    this.#startDelay('retry', retryMs);
  }
}

/**
 * Whether an event can wait for the next commit. A process is found by its tag until its pid is stored; most steps end
 * before then, and a chain of short steps saves every second commit.
 */
const canDefer = (event: RunEvent): boolean => event.type === 'step.spawned';

const toErrorFields = ({ code, message }: AppError) => ({ code, message });

function takeWrite(state: WriterState): Write {
  const { events, waiters } = state;
  state.events = [];
  state.waiters = [];
  return { state, events, waiters, isDone: false };
}

const toBatch = ({ state: { runKey, epoch, inDoubt }, events }: Write): EventBatch => ({
  runKey,
  epoch,
  events,
  ...(inDoubt > 0 && { inDoubt }),
});

function accept(write: Write, outcome: BatchOutcome): void {
  write.isDone = true;
  write.state.inDoubt = 0;
  if (outcome.outcome !== 'written') write.state.rejection = new RunLost(outcome.reason, outcome.outcome);
}

function settle({ state: { rejection }, waiters }: Write): void {
  for (const waiter of waiters) {
    if (rejection === undefined) waiter.resolve();
    else waiter.reject(rejection);
  }
}
