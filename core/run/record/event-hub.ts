import type { Clock, Dispose } from '../../base/clock.ts';
import { errorCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { RecordedEvent } from '../../model/run/run-event.ts';
import type { RunStore } from '../ports.ts';

/** How soon a listener is told what other hosts commit: `patient` what works in the background, where nobody looks. */
export type Pace = 'prompt' | 'patient';

/**
 * How often other hosts' commits are looked for while somebody listens, milliseconds: half of the 150 ms
 * event-to-pixel budget, and seldom enough that a host at rest costs nothing worth telling.
 */
const watchIntervals = { prompt: 75, patient: 250 } as const;
const pageSize = 500;

/** Whose events: those of one run, of all runs of a name, of all runs with an id; of everybody when empty. */
export interface EventTopic {
  readonly name?: string | undefined;
  readonly dagRunId?: string | undefined;
}

type Listener = (event: RecordedEvent) => void;

/**
 * Hands out events in their stored order, whichever host of the home wrote them. Our own commits
 * arrive at once (`pump`), those of other processes when the database's version has changed.
 */
export class EventHub {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** By topic: an event finds its listeners, however many others there are. */
  readonly #topics = new Map<string, Emitter<RecordedEvent>>();
  #lastId = 0;
  #foreignVersion = 0;
  #promptListeners = 0;
  #pace: Pace | undefined;
  #stopWatching: Dispose | undefined;
  /** Something may have been committed that could not be read. */
  #isBehind = false;

  constructor(options: { store: RunStore; clock: Clock; logger: Logger }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /** Calls the listener for every event of a topic from now on. */
  subscribe(listener: Listener, topic: EventTopic = {}, pace: Pace = 'prompt'): Dispose {
    if (this.#topics.size === 0) this.#begin();
    const key = keyOf(topic.name, topic.dagRunId);
    const emitter = this.#topics.get(key) ?? this.#newEmitter();
    this.#topics.set(key, emitter);
    const dispose = emitter.subscribe(listener);
    const isPrompt = pace === 'prompt';
    if (isPrompt) this.#promptListeners += 1;
    this.#watch();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      dispose();
      if (isPrompt) this.#promptListeners -= 1;
      if (emitter.size === 0 && this.#topics.get(key) === emitter) this.#topics.delete(key);
      this.#watch();
    };
  }

  /**
   * Delivers what has been committed since the last call. What cannot be read while the database is away is delivered
   * later: whoever has committed something has done so all the same.
   */
  pump(): void {
    if (this.#topics.size === 0) return;
    try {
      this.#deliver();
      this.#isBehind = false;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !errorCodes[thrown.code].retryable) throw thrown;
      if (!this.#isBehind) this.#logger.warn('Events are delayed', { message: thrown.message });
      this.#isBehind = true;
    }
  }

  #deliver(): void {
    for (;;) {
      const events = this.#store.listEvents(this.#lastId, pageSize);
      for (const event of events) {
        // A listener that pumps has brought the rest of this page already.
        if (event.id <= this.#lastId) continue;
        this.#lastId = event.id;
        this.#emit(event);
      }
      if (events.length < pageSize) return;
    }
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#pace = undefined;
  }

  #newEmitter(): Emitter<RecordedEvent> {
    return new Emitter((thrown) =>
      this.#logger.error('An event listener failed', { message: String(thrown) }),
    );
  }

  #emit(event: RecordedEvent): void {
    const { dag, dagRunId } = event;
    this.#topics.get(keyOf(undefined, undefined))?.emit(event);
    this.#topics.get(keyOf(dag, undefined))?.emit(event);
    this.#topics.get(keyOf(undefined, dagRunId))?.emit(event);
    this.#topics.get(keyOf(dag, dagRunId))?.emit(event);
  }

  #begin(): void {
    // In this order: what another process commits in between is noticed.
    this.#foreignVersion = this.#store.foreignVersion();
    this.#lastId = this.#store.lastEventId();
  }

  /** Looks as often as the least patient of the listeners wants. */
  #watch(): void {
    if (this.#topics.size === 0) return this.close();
    const pace = this.#promptListeners > 0 ? 'prompt' : 'patient';
    if (pace === this.#pace) return;
    this.#stopWatching?.();
    this.#pace = pace;
    this.#stopWatching = this.#clock.every(watchIntervals[pace], () => this.#look());
  }

  #look(): void {
    const version = this.#store.foreignVersion();
    if (version === this.#foreignVersion && !this.#isBehind) return;
    this.#foreignVersion = version;
    this.pump();
  }
}

/** Neither names nor ids hold a slash. */
const keyOf = (name = '', dagRunId = ''): string => `${name}/${dagRunId}`;
