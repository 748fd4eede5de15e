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

/** What the last pass found: nothing is due before a change of the store, or this time (epoch milliseconds). */
interface Idle {
  readonly revision: string;
  readonly nextAt: number | undefined;
}

/**
 * Starts runs of deliveries that a lost host received, and debounced ones. Several hosts can do this at once, because
 * a start detects existing runs.
 */
export class Backlog {
  readonly #store: ReceivedStore;
  readonly #revision: () => string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #receivers: Receivers;
  readonly #starter: RunStarter;
  readonly #payloads: PayloadFiles;
  #stops: Dispose[] = [];
  #attempting: Promise<void> | undefined;
  #isClosed = false;
  #idle: Idle | undefined;

  constructor(options: {
    readonly store: ReceivedStore;
    /** Changes with any commit. */
    readonly revision: () => string;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly receivers: Receivers;
    readonly starter: RunStarter;
    readonly payloads: PayloadFiles;
  }) {
    this.#store = options.store;
    this.#revision = options.revision;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#receivers = options.receivers;
    this.#starter = options.starter;
    this.#payloads = options.payloads;
  }

  /** Starts with all pending deliveries, because the receiving process may have ended. */
  open(): void {
    this.#attempt(() => this.#startDue(0));
    this.#stops = [
      this.#clock.every(tickMs, () => this.#attempt(() => this.#startDue(graceMs))),
      this.#clock.every(purgeMs, () => this.#attempt(() => this.#purge())),
    ];
  }

  /** Waits for the pass in progress, which starts no more deliveries. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.#attempting;
  }

  /** Does the work, unless earlier work is in progress. */
  #attempt(work: () => Promise<void>): void {
    this.#attempting ??= this.#carryOut(work).finally(() => (this.#attempting = undefined));
  }

  /** Never rejects. */
  async #carryOut(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.warn('Cannot process pending webhooks, retrying', {
        message: getErrorMessage(error),
      });
    }
  }

  async #startDue(grace: number): Promise<void> {
    const now = this.#clock.now();
    const revision = this.#revision();
    if (this.#idle?.revision === revision && now < (this.#idle.nextAt ?? Infinity)) return;
    const due = await this.#store.listDueStarts({ at: now, receivedBefore: now - grace, limit: portion });
    if (due.length === 0) this.#idle = { revision, nextAt: await this.#store.findNextStart(graceMs) };
    const byDelivery = Map.groupBy(due, ({ receivedKey }) => receivedKey);
    for (const [receivedKey, starts] of byDelivery) {
      if (this.#isClosed) return;
      await this.#startAgain(receivedKey, starts);
    }
  }

  async #startAgain(receivedKey: number, starts: readonly StoredStart[]): Promise<void> {
    const [received, receivers, body] = await Promise.all([
      this.#store.findReceived(receivedKey),
      this.#receivers.list(),
      this.#store.readBody(receivedKey),
    ]);
    const receiver = receivers.find(({ key }) => key === received?.receiverKey);
    if (received === undefined || receiver === undefined) return;
    const read = readPayload(body ?? Buffer.alloc(0), received.contentType, receiver.scheme);
    if ('problem' in read)
      return this.#store.settle(
        starts.map((start) => ({ ...start, outcome: 'refused', reason: read.reason })),
      );
    const { event, action, deliveryId, headers, depth } = received;
    await this.#starter.startAll(starts, { receiver, event, action, deliveryId, headers, depth, ...read });
  }

  async #purge(): Promise<void> {
    while (!this.#isClosed) {
      const purged = await this.#store.purge(this.#clock.now(), portion);
      this.#payloads.remove(purged);
      if (purged.length < portion) return;
    }
  }
}
