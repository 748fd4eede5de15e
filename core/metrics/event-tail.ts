import type { Clock, Dispose } from '../base/clock.ts';
import type { RecordedEvent } from '../model/run/run-event.ts';
import type { MetricsSources } from './ports.ts';

/** Events read at once; about a millisecond. */
const pageSize = 200;
/** How often it catches up when nobody asks: runs that are removed from the history take their events along. */
const everyMs = 10_000;

/**
 * Reads the events of the home behind their writers, whichever process writes them: the making of an event costs
 * nothing more for it, and several thousand of them cost one look in ten seconds.
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
      this.catchUp().catch((thrown: unknown) =>
        sources.logger.warn('Cannot count events yet', { message: String(thrown) }),
      );
    });
  }

  /** Resolves when every event of this moment has been taken. Rejects with the store's refusal. */
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
      await turn(clock);
    }
  }
}

const turn = (clock: Clock): Promise<void> => new Promise((resolve) => clock.soon(resolve));
