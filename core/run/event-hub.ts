import type { Clock, Dispose } from '../base/clock.ts';
import { errorCodes } from '../base/error-codes.ts';
import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/emitter.ts';
import { CoalescedTask } from '../base/turns.ts';
import type { Logger } from '../base/logger.ts';
import type { RecordedEvent } from '../model/run-event.ts';
import type { EventCursor, RunStore } from '../store/types/runs.ts';

/** How soon a listener receives commits of other hosts: `patient` is for background work. */
export type Pace = 'prompt' | 'patient';

/**
 * How often to look for commits of other hosts while there are listeners, in milliseconds: half of the 150 ms
 * event-to-pixel budget, and rare enough to cost an idle host almost nothing.
 */
const watchIntervals = { prompt: 75, patient: 250 } as const;
const pageSize = 500;

/** Selects events: of one run, of all runs of a name, of all runs with an id; all events when empty. */
export interface EventTopic {
  readonly name?: string | undefined;
  readonly dagRunId?: string | undefined;
}

type Listener = (event: RecordedEvent) => void;

/**
 * Delivers events in their stored order, whichever host of the home wrote them: those of our runs come with the answer of
 * the commit (`deliver`), others that this process has written are read at once (`pump`), those of other processes when
 * the database's version has changed.
 */
export class EventHub {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Listeners by topic, so that an event finds its listeners without visiting all of them. */
  readonly #topics = new Map<string, Emitter<RecordedEvent>>();
  #lastId = 0;
  /** Whether `#lastId` is the position of the first subscription. */
  #isLocated = false;
  #locating: Promise<void> | undefined;
  #dataVersion = 0;
  #promptListeners = 0;
  #watching: { readonly pace: Pace; readonly stop: Dispose } | undefined;
  /** Something may have been committed that could not be read yet. */
  #isBehind = false;
  readonly #reading: CoalescedTask;

  constructor(store: RunStore, clock: Clock, logger: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#reading = new CoalescedTask(clock, () => this.#read());
  }

  /**
   * Calls the listener for every event of a topic from now on; on a server, from `ready` on. Read the state that events
   * change after that.
   */
  subscribe(listener: Listener, topic: EventTopic = {}, pace: Pace = 'prompt'): Dispose {
    if (this.#topics.size === 0) this.#begin();
    const key = getKey(topic.name, topic.dagRunId);
    const emitter = this.#topics.get(key) ?? this.#newEmitter();
    this.#topics.set(key, emitter);
    const dispose = emitter.subscribe(listener);
    const isPrompt = pace === 'prompt';
    if (isPrompt) this.#promptListeners += 1;
    this.#watch();
    let isUnsubscribed = false;
    return () => {
      if (isUnsubscribed) return;
      isUnsubscribed = true;
      dispose();
      if (isPrompt) this.#promptListeners -= 1;
      if (emitter.size === 0 && this.#topics.get(key) === emitter) this.#topics.delete(key);
      this.#watch();
    };
  }

  /** Resolves when the position of the first subscription is known. Rejects with errors of the store. */
  async ready(): Promise<void> {
    if (this.#isLocated) return;
    this.#locating ??= this.#locate().finally(() => (this.#locating = undefined));
    await this.#locating;
  }

  /** The next events, if there are listeners. */
  get cursor(): EventCursor | undefined {
    return this.#topics.size === 0 || !this.#isLocated
      ? undefined
      : { afterId: this.#lastId, limit: pageSize };
  }

  /** Delivers events that were read after `cursor`. */
  deliver(events: readonly RecordedEvent[]): void {
    // They are read again.
    if (!this.#isLocated) return;
    for (const event of events) {
      // Another read may have delivered it already.
      if (event.id <= this.#lastId) continue;
      this.#lastId = event.id;
      this.#emit(event);
    }
    if (events.length >= pageSize) this.pump();
  }

  /**
   * Starts to deliver the events committed so far. When the database is unavailable, they are delivered later; the
   * caller's commit has succeeded anyway.
   */
  pump(): void {
    if (this.#topics.size > 0 && this.#isLocated) void this.#reading.request();
  }

  /** Resolves when all events that `pump` was called for are delivered. */
  settled(): Promise<void> {
    return this.#reading.settled();
  }

  async #read(): Promise<void> {
    try {
      this.deliver(await this.#store.listEvents(this.#lastId, pageSize));
      this.#isBehind = false;
    } catch (error) {
      this.#noteDelay(error);
    }
  }

  #noteDelay(error: unknown): void {
    if (!(error instanceof AppError) || !errorCodes[error.code].retryable) throw error;
    if (!this.#isBehind) this.#logger.warn('Events are delayed', { message: error.message });
    this.#isBehind = true;
  }

  close(): void {
    this.#watching?.stop();
    this.#watching = undefined;
  }

  #newEmitter(): Emitter<RecordedEvent> {
    return new Emitter((error) => this.#logger.error('An event listener failed', { message: String(error) }));
  }

  #emit(event: RecordedEvent): void {
    const { dag, dagRunId } = event;
    this.#topics.get(getKey(undefined, undefined))?.emit(event);
    this.#topics.get(getKey(dag, undefined))?.emit(event);
    this.#topics.get(getKey(undefined, dagRunId))?.emit(event);
    this.#topics.get(getKey(dag, dagRunId))?.emit(event);
  }

  #begin(): void {
    this.#isLocated = false;
    this.ready().catch((error: unknown) => this.#noteDelay(error));
  }

  async #locate(): Promise<void> {
    // In this order, so that a commit of another process in between is noticed.
    this.#dataVersion = this.#store.dataVersion();
    this.#lastId = Math.max(this.#lastId, await this.#store.lastEventId());
    this.#isLocated = true;
    this.#isBehind = false;
    this.pump();
  }

  /** Polls at the shortest interval of the listeners. */
  #watch(): void {
    if (this.#topics.size === 0) return this.close();
    const pace = this.#promptListeners > 0 ? 'prompt' : 'patient';
    if (pace === this.#watching?.pace) return;
    this.#watching?.stop();
    this.#watching = { pace, stop: this.#clock.every(watchIntervals[pace], () => this.#poll()) };
  }

  #poll(): void {
    if (!this.#isLocated) return void this.ready().catch((error: unknown) => this.#noteDelay(error));
    const version = this.#store.dataVersion();
    if (version === this.#dataVersion && !this.#isBehind) return;
    this.#dataVersion = version;
    this.pump();
  }
}

/** Returns the key of a topic. Neither names nor ids contain a slash. */
const getKey = (name = '', dagRunId = ''): string => `${name}/${dagRunId}`;
