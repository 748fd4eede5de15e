import type { Clock, Dispose } from '../base/clock.ts';
import type { RecordedEvent } from '../model/run/run-event.ts';
import type { MetricsSources } from './ports.ts';

/** Events per read; about a millisecond. */
const pageSize = 200;
/** Polling interval without scrapes, because deleted runs lose their events. */
const everyMs = 10_000;

/**
 * Reads the events of the home after they are written by any process: writing events has no additional cost, and
 * several thousand are read at once every ten seconds.
 */
export class EventTail {
  readonly #sources: Pick<MetricsSources, 'store' | 'clock' | 'logger'>;
  readonly #take: (event: RecordedEvent) => void;
  readonly #stop: Dispose;
  #lastId: number;
  #catchingUp: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    sources: Pick<MetricsSources, 'store' | 'clock' | 'logger'>,
    take: (event: RecordedEvent) => void,
  ) {
    this.#sources = sources;
    this.#take = take;
    this.#lastId = sources.store.lastEventId();
    this.#stop = sources.clock.every(everyMs, () => {
      this.catchUp().catch((error: unknown) =>
        sources.logger.warn('Cannot count events yet', { message: String(error) }),
      );
    });
  }

  /** Resolves when all current events have been processed. Rejects with errors of the store. */
  catchUp(): Promise<void> {
    return (this.#catchingUp ??= this.#read().finally(() => (this.#catchingUp = undefined)));
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #read(): Promise<void> {
    const { store, clock } = this.#sources;
    while (!this.#isClosed) {
      const events = store.listEvents(this.#lastId, pageSize);
      for (const event of events) {
        this.#lastId = event.id;
        this.#take(event);
      }
      if (events.length < pageSize) return;
      await nextTick(clock);
    }
  }
}

const nextTick = (clock: Clock): Promise<void> => new Promise((resolve) => clock.soon(resolve));
