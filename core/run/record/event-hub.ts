import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { RecordedEvent } from '../../model/run-event.ts';
import type { RunStore } from '../ports.ts';

/** How often other hosts' commits are looked for while somebody listens; half of the 150 ms event-to-pixel budget. */
const watchIntervalMs = 75;
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
  readonly #onListenerError: (thrown: unknown) => void;
  /** By topic: an event finds its listeners, however many others there are. */
  readonly #topics = new Map<string, Emitter<RecordedEvent>>();
  #lastId = 0;
  #foreignVersion = 0;
  #stopWatching: Dispose | undefined;

  constructor(options: { store: RunStore; clock: Clock; logger: Logger }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#onListenerError = (thrown) =>
      options.logger.error('An event listener failed', { message: String(thrown) });
  }

  /** Calls the listener for every event of a topic from now on. */
  subscribe(listener: Listener, topic: EventTopic = {}): Dispose {
    if (this.#topics.size === 0) this.#beginWatching();
    const key = keyOf(topic.name, topic.dagRunId);
    const emitter = this.#topics.get(key) ?? new Emitter(this.#onListenerError);
    this.#topics.set(key, emitter);
    const dispose = emitter.subscribe(listener);
    return () => {
      dispose();
      if (emitter.size > 0 || this.#topics.get(key) !== emitter) return;
      this.#topics.delete(key);
      if (this.#topics.size === 0) this.#endWatching();
    };
  }

  /** Delivers what has been committed since the last call. */
  pump(): void {
    if (this.#topics.size === 0) return;
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
    this.#endWatching();
  }

  #emit(event: RecordedEvent): void {
    const { dag, dagRunId } = event;
    this.#topics.get(keyOf(undefined, undefined))?.emit(event);
    this.#topics.get(keyOf(dag, undefined))?.emit(event);
    this.#topics.get(keyOf(undefined, dagRunId))?.emit(event);
    this.#topics.get(keyOf(dag, dagRunId))?.emit(event);
  }

  #beginWatching(): void {
    // In this order: what another process commits in between is noticed.
    this.#foreignVersion = this.#store.foreignVersion();
    this.#lastId = this.#store.lastEventId();
    this.#stopWatching = this.#clock.every(watchIntervalMs, () => {
      const version = this.#store.foreignVersion();
      if (version === this.#foreignVersion) return;
      this.#foreignVersion = version;
      this.pump();
    });
  }

  #endWatching(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }
}

/** Neither names nor ids hold a slash. */
const keyOf = (name = '', dagRunId = ''): string => `${name}/${dagRunId}`;
