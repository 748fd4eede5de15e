import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { StoredStart, ReceivedStore } from '../../store/types/receivers.ts';
import { readPayload } from './read-request.ts';
import type { Receivers } from './receivers.ts';
import type { PayloadFiles, RunStarter } from './run-starter.ts';

/** Polling interval for due starts, in milliseconds. */
const tickMs = 1000;
/** Time during which only the receiving host starts a delivery's runs. */
const graceMs = 10_000;
const purgeMs = 600_000;
const portion = 200;

/**
 * Starts runs of deliveries that a lost host received, and debounced ones. Several hosts can do this at once, because
 * a start detects existing runs.
 */
export class Backlog {
  readonly #store: ReceivedStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #receivers: Receivers;
  readonly #starter: RunStarter;
  readonly #payloads: PayloadFiles;
  #stops: Dispose[] = [];
  #isBusy = false;

  constructor(options: {
    readonly store: ReceivedStore;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly receivers: Receivers;
    readonly starter: RunStarter;
    readonly payloads: PayloadFiles;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#receivers = options.receivers;
    this.#starter = options.starter;
    this.#payloads = options.payloads;
  }

  /** Starts with all pending deliveries, because the receiving process may have ended. */
  open(): void {
    void this.#attempt(() => this.#startDue(0));
    this.#stops = [
      this.#clock.every(tickMs, () => void this.#attempt(() => this.#startDue(graceMs))),
      this.#clock.every(purgeMs, () => void this.#attempt(() => this.#purge())),
    ];
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #attempt(work: () => Promise<void> | void): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await work();
    } catch (error) {
      this.#logger.warn('Cannot process pending webhooks, retrying', {
        message: getErrorMessage(error),
      });
    } finally {
      this.#isBusy = false;
    }
  }

  async #startDue(grace: number): Promise<void> {
    const now = this.#clock.now();
    const due = this.#store.listDueStarts({ at: now, receivedBefore: now - grace, limit: portion });
    const byDelivery = Map.groupBy(due, ({ receivedKey }) => receivedKey);
    for (const [receivedKey, starts] of byDelivery) await this.#startAgain(receivedKey, starts);
  }

  async #startAgain(receivedKey: number, starts: readonly StoredStart[]): Promise<void> {
    const received = this.#store.findReceived(receivedKey);
    const receiver = this.#receivers.list().find(({ key }) => key === received?.receiverKey);
    const body = this.#store.readBody(receivedKey);
    if (received === undefined || receiver === undefined) return;
    const read = readPayload(body ?? Buffer.alloc(0), received.contentType, receiver.scheme);
    if ('problem' in read) {
      this.#store.settle(starts.map((start) => ({ ...start, outcome: 'refused', reason: read.reason })));
      return;
    }
    const { event, action, deliveryId, headers, depth } = received;
    await this.#starter.startAll(starts, { receiver, event, action, deliveryId, headers, depth, ...read });
  }

  #purge(): void {
    for (;;) {
      const purged = this.#store.purge(this.#clock.now(), portion);
      this.#payloads.remove(purged);
      if (purged.length < portion) return;
    }
  }
}
