import { type Clock, type Dispose, toIso } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import { CoalescedTask } from '../../base/turns.ts';
import type { NotificationStore } from '../../store/types/notifications.ts';
import type { ServiceLeases } from '../../run/hosts.ts';
import type {
  Webhook,
  WebhookHealth,
  Message,
  SentMessage,
  StoredEvent,
  DeliveryClaim,
  WebhookStore,
} from '../../store/types/webhooks.ts';
import { type AddressRules, Connections } from '../address-check.ts';
import { deliverMessage, type Delivered } from './deliver-message.ts';
import { fanOut, EventBodyCache, DeliveryQueues } from './delivery-queues.ts';
import { WebhookCache } from './webhook-cache.ts';
import type { AttemptOutcome } from '../send-attempt.ts';
import type { NotificationDecider } from '../notifications/decider.ts';
import type { NotificationContent, ShowNotice } from '../notifications/message.ts';
import type { ReadStoredSecret } from '../notifications/send-notification.ts';
import type { SendHomeMail } from '../../run/home-mail.ts';

/** Lease name: only one host of a home sends at a time. */
export const senderService = 'webhooks';

const tickMs = 500;
/** Without webhooks, interval of checking for webhooks of other hosts, in milliseconds. */
const restMs = 2000;
/** Maximum number of parallel messages and total size of their bodies. */
const maxInFlight = 128;
const maxBytesInFlight = 64 * 1024 * 1024;
/** Outcomes are stored in batches of this size, or after this delay in milliseconds. */
const worthACommit = 64;
const gatherMs = 20;
/** Maximum time for pending deliveries on close, in milliseconds. */
const graceMs = 3000;
const purgeEveryMs = 60_000;
/** Purge interval without webhooks, when no events are added. */
const purgeAtRestMs = 3_600_000;
const purgePortion = 500;

export interface SenderOptions {
  readonly store: WebhookStore;
  /** Changes with every commit of another process. */
  readonly dataVersion: () => number;
  /** Changes with every commit, of this process too. */
  readonly commitRevision: () => string;
  readonly leases: ServiceLeases;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Retention of events and deliveries, in milliseconds. */
  readonly retentionMs: number;
  /** Name resolution. Default: the system's. */
  readonly addresses?: Partial<AddressRules> | undefined;
  readonly notifications: NotificationServices;
}

/** What the sender needs for notifications. */
export interface NotificationServices {
  readonly store: Pick<NotificationStore, 'takeDesktopMessages'>;
  readonly decider: Pick<NotificationDecider, 'work'>;
  readonly sendMail: SendHomeMail;
  readonly readSecret: ReadStoredSecret;
  /** Shows a desktop notification; absent on hosts without a desktop. */
  readonly showNotice: ShowNotice | undefined;
}

/**
 * Sends webhooks from the outbox. The host with the lease works; without webhooks no host has it. Outcomes are stored
 * in batches before more messages are taken; messages in delivery of a lost host are resent.
 */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #cache: WebhookCache;
  readonly #bodies: EventBodyCache;
  readonly #queues = new DeliveryQueues();
  readonly #connections: Connections;
  readonly #stopping = new AbortController();
  readonly #health = new Map<number, WebhookHealth>();
  readonly #failingSince = new Map<number, number | undefined>();
  #sent: SentMessage[] = [];
  #changedHealth = new Set<number>();
  #inProgress = 0;
  #bytes = 0;
  #fencingToken: number | undefined;
  #leaseAt = Number.NEGATIVE_INFINITY;
  #purgeAt = Number.NEGATIVE_INFINITY;
  #foreign = -1;
  /** Revision of the store before the last complete pass. */
  #revision = '';
  #cancelTick: Dispose | undefined;
  /** Checks the outbox. */
  readonly #pass: CoalescedTask;
  #deciding: Promise<void> | undefined;
  #isBatching = false;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#cache = new WebhookCache(options.store);
    this.#bodies = new EventBodyCache(options.store);
    this.#connections = new Connections(options.addresses);
    this.#pass = new CoalescedTask(options.clock, () => this.#tryWork());
  }

  /** Whether this process has the lease. */
  get isActive(): boolean {
    return this.#fencingToken !== undefined;
  }

  /** Starts sending. Resolves after the first check of the outbox; never rejects. */
  async start(): Promise<void> {
    if (!this.#isClosed && this.#cancelTick === undefined) await this.#tick();
  }

  /** Checks the outbox soon, instead of within half a second. If a hook is passed, it has a due message. */
  wake(hookId?: number): void {
    if (hookId !== undefined) this.#queues.note(hookId, this.#options.clock.now());
    if (!this.#isClosed && this.#cancelTick !== undefined) this.#pass.requestSoon();
  }

  /**
   * Checks the outbox after a finished delivery: slightly later if more will finish soon, because a batch commit costs
   * as much as a single one.
   */
  #wakeForBatch(): void {
    if (this.#sent.length >= worthACommit || this.#inProgress === 0) return this.wake();
    if (this.#isBatching) return;
    this.#isBatching = true;
    this.#options.clock.after(gatherMs, () => {
      this.#isBatching = false;
      this.wake();
    });
  }

  /** Releases the lease. Resolves when pending deliveries have finished, or were aborted after the maximum time. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTick?.();
    await this.#pass.settled();
    if (this.#inProgress > 0) {
      const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
      const abort = this.#options.clock.after(graceMs, () => this.#stopping.abort());
      await idle;
      abort();
    }
    await this.#deciding;
    await this.#guard(() => this.#write());
    await this.#guard(async () => {
      if (this.#fencingToken !== undefined)
        await this.#options.leases.release(senderService, this.#fencingToken);
    });
    this.#fencingToken = undefined;
    this.#connections.close();
  }

  #tick(): Promise<void> {
    this.#scheduleTick();
    return this.#pass.request();
  }

  #scheduleTick(): void {
    if (this.#isClosed) return;
    this.#cancelTick?.();
    this.#cancelTick = this.#options.clock.after(this.#isNeeded ? tickMs : restMs, () => void this.#tick());
  }

  async #tryWork(): Promise<void> {
    const hasRested = !this.#isNeeded;
    await this.#guard(() => this.#work());
    if (hasRested && this.#isNeeded) this.#scheduleTick();
  }

  get #isNeeded(): boolean {
    return !this.#cache.isEmpty || this.#inProgress > 0 || this.#sent.length > 0;
  }

  /** Reads nothing from the store unless something was committed since the last pass, or is due. */
  async #work(): Promise<void> {
    if (this.#isClosed) return;
    const revision = this.#options.commitRevision();
    if (revision !== this.#revision) await this.#readWebhooks();
    if (this.#isNeeded) await this.#workUnderLease(revision);
    else await this.#rest();
    this.#revision = revision;
  }

  async #workUnderLease(revision: string): Promise<void> {
    if (revision !== this.#revision) await this.#showNotices();
    if (!(await this.#keepLease()) || this.#isClosed) return;
    this.#deciding = this.#options.notifications.decider.work(() => this.wake());
    if (revision !== this.#revision) await this.#makeMessages();
    await this.#notice();
    await this.#send();
    await this.#purge(purgeEveryMs);
  }

  /** Releases the lease if there is nothing to send; old events are still purged. */
  async #rest(): Promise<void> {
    if (this.#fencingToken !== undefined)
      await this.#options.leases.release(senderService, this.#fencingToken);
    this.#fencingToken = undefined;
    this.#leaseAt = Number.NEGATIVE_INFINITY;
    await this.#purge(purgeAtRestMs);
  }

  /** Returns whether this sender holds the lease. */
  async #keepLease(): Promise<boolean> {
    const { leases, clock } = this.#options;
    if (clock.monotonic() - this.#leaseAt < timings.serviceRenewal) return this.isActive;
    this.#leaseAt = clock.monotonic();
    if (this.#fencingToken === undefined) {
      this.#fencingToken = await leases.acquire(senderService);
      if (this.#fencingToken !== undefined) await this.#begin(this.#fencingToken);
    } else if (!(await leases.renew(senderService, this.#fencingToken))) {
      this.#fencingToken = undefined;
      await this.#write();
      this.#options.logger.info('Another host of this home now sends webhooks');
    }
    return this.isActive;
  }

  /** Returns messages in delivery of the previous lease holder to the waiting state. */
  async #begin(epoch: number): Promise<void> {
    failPoint('webhook.took_lease');
    const { store, clock, logger } = this.#options;
    this.#foreign = -1;
    this.#revision = '';
    const returned = await store.returnClaimed(epoch, clock.now());
    if (returned > 0) logger.warn('Webhook deliveries of a lost host were requeued', { returned });
  }

  /** Reloads hooks. A changed hook may have been enabled again, so its cached failures are discarded. */
  async #readWebhooks(): Promise<void> {
    if (!(await this.#cache.isOutdated())) return;
    await this.#write();
    await this.#cache.refresh();
    this.#failingSince.clear();
    // A delivery that has ended meanwhile still has to be stored.
    for (const hookId of this.#health.keys())
      if (!this.#changedHealth.has(hookId)) this.#health.delete(hookId);
    this.#foreign = -1;
  }

  /** Checks for messages from other processes. */
  async #notice(): Promise<void> {
    const foreign = this.#options.dataVersion();
    if (foreign === this.#foreign) return;
    this.#foreign = -1;
    await this.#queues.reload(() => this.#options.store.listDue());
    this.#foreign = foreign;
  }

  /** Shows messages for the desktop. The host with the desktop need not be the one with the lease. */
  async #showNotices(): Promise<void> {
    const { showNotice, store } = this.#options.notifications;
    if (showNotice === undefined) return;
    for (const payload of await store.takeDesktopMessages(this.#options.clock.now()))
      showNotice(JSON.parse(payload) as NotificationContent);
  }

  async #makeMessages(): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const refresh = (): Promise<void> => this.#readWebhooks();
    const { hooks: webhooks, isMore } = await fanOut(store, this.#cache, now, refresh);
    for (const hookId of webhooks) this.#queues.note(hookId, now);
    if (webhooks.size > 0) failPoint('webhook.fanned_out');
    if (isMore) this.wake();
  }

  /** Stores outcomes and takes messages. */
  async #send(): Promise<void> {
    const { clock } = this.#options;
    const instant = { now: clock.now(), monotonic: clock.monotonic() };
    const room = this.#bytes < maxBytesInFlight ? maxInFlight - this.#inProgress : 0;
    const requests = this.#queues.plan(room, instant, (hookId) => this.#cache.find(hookId));
    if (requests.length === 0 && this.#sent.length === 0) return;
    const epoch = this.#fencingToken ?? -1;
    const messages = await this.#write(requests, epoch);
    const counts = new Map<number, number>();
    for (const { hookId } of messages) counts.set(hookId, (counts.get(hookId) ?? 0) + 1);
    for (const { hookId } of requests) this.#queues.take(hookId, counts.get(hookId) ?? 0);
    if (messages.length > 0) failPoint('webhook.claimed');
    for (const message of messages) this.#begins(message, epoch);
    await this.#readRemaining(requests);
  }

  async #readRemaining(requests: DeliveryClaim['requests']): Promise<void> {
    try {
      await Promise.all(
        requests.map(async ({ hookId, ordered }) =>
          this.#queues.noteRemaining(hookId, await this.#options.store.nextDue(hookId, ordered)),
        ),
      );
    } catch (error) {
      // The next pass reads the due times of all hooks.
      this.#foreign = -1;
      throw error;
    }
  }

  async #write(
    requests: DeliveryClaim['requests'] = [],
    epoch = this.#fencingToken ?? -1,
  ): Promise<Message[]> {
    const { store, clock } = this.#options;
    const sent = this.#sent;
    const changed = this.#changedHealth;
    if (requests.length === 0 && sent.length === 0) return [];
    const health = new Map([...changed].map((hookId) => [hookId, this.#health.get(hookId)!]));
    this.#sent = [];
    this.#changedHealth = new Set();
    try {
      const messages = await store.exchange({ sent, health }, { requests, epoch, at: clock.now() });
      if (sent.length > 0) failPoint('webhook.recorded');
      for (const { message, end } of sent)
        if (end.state === 'waiting') this.#queues.note(message.hookId, end.dueAt);
      return messages;
    } catch (error) {
      // The outcomes are stored when the store works again.
      this.#sent = [...sent, ...this.#sent];
      for (const hookId of changed) this.#changedHealth.add(hookId);
      throw error;
    }
  }

  #begins(message: Message, epoch: number): void {
    this.#inProgress += 1;
    void this.#deliver(message, epoch)
      .catch((error: unknown) =>
        this.#options.logger.error('Unexpected error in a webhook delivery', {
          message: String(error),
        }),
      )
      .finally(() => {
        this.#inProgress -= 1;
        this.#queues.finish(message.hookId);
        if (this.#inProgress === 0) this.#whenIdle?.();
        this.#wakeForBatch();
      });
  }

  async #deliver(message: Message, epoch: number): Promise<void> {
    const webhook = this.#cache.find(message.hookId);
    const event = await this.#findEvent(message, epoch);
    if (webhook === undefined || event === undefined) return;
    const body = this.#bodies.getBody(webhook, event);
    const { length } = body.bytes;
    const { clock, random, notifications } = this.#options;
    const { sendMail, readSecret } = notifications;
    const tools = {
      clock,
      random,
      sendMail,
      readSecret,
      connections: this.#connections,
      signal: this.#stopping.signal,
    };
    this.#bytes += length;
    try {
      const delivered = await deliverMessage({ hook: webhook, event, body, message }, tools);
      await this.#ends(webhook, message, delivered, epoch);
    } finally {
      this.#bytes -= length;
    }
  }

  /** Returns the event of a claimed message; undefined if deleted. Releases the message after an error. */
  async #findEvent({ id, eventId, hookId }: Message, epoch: number): Promise<StoredEvent | undefined> {
    try {
      return await this.#bodies.find(eventId);
    } catch (error) {
      await this.#guard(() => this.#options.store.release([id], epoch));
      this.#queues.note(hookId, this.#options.clock.now());
      throw error;
    }
  }

  async #ends(
    webhook: Webhook,
    message: Message,
    { attempts, outcome, end }: Delivered,
    epoch: number,
  ): Promise<void> {
    failPoint('webhook.answered');
    if (this.#stopping.signal.aborted && !outcome.delivered)
      return this.#guard(() => this.#options.store.release([message.id], epoch));
    this.#sent.push({ message, epoch, attempts, end });
    this.#recordHealth(webhook, outcome);
  }

  #recordHealth(webhook: Webhook, outcome: Delivered['outcome']): void {
    const { clock, logger } = this.#options;
    const before = this.#failingSince.has(webhook.id)
      ? this.#failingSince.get(webhook.id)
      : this.#cache.find(webhook.id)?.failingSince;
    const health = nextHealth(webhook, before, outcome, clock.now());
    this.#failingSince.set(webhook.id, health.failingSince);
    const last = this.#health.get(webhook.id);
    const isSame =
      last !== undefined &&
      last.failingSince === health.failingSince &&
      last.lastResponse.message === health.lastResponse.message &&
      health.disabledReason === undefined;
    if (isSame) return;
    this.#health.set(webhook.id, health);
    this.#changedHealth.add(webhook.id);
    if (health.disabledReason !== undefined)
      logger.warn(`Webhook ${webhook.id} was disabled: ${health.disabledReason}`);
  }

  async #purge(everyMs: number): Promise<void> {
    const { store, clock, retentionMs } = this.#options;
    if (clock.monotonic() - this.#purgeAt < everyMs) return;
    this.#purgeAt = clock.monotonic();
    if (await store.purge(clock.now() - retentionMs, purgePortion)) {
      // There may be more, so the next batch comes sooner.
      this.#purgeAt = clock.monotonic() - everyMs + tickMs;
    }
  }

  /** Logs errors; the next tick retries half a second later. */
  async #guard(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#options.logger.error('Cannot send webhooks, retrying', { message: String(error) });
    }
  }
}

/** A hook is disabled after all its attempts have failed for this long: five days, in milliseconds. */
export const sustainedFailureMs = 5 * 86_400_000;

/** The receiver returned 410 Gone (RFC 9110, 15.5.11; Standard Webhooks). */
const statusGone = 410;

/** Returns the health of a hook after an attempt; `failingSince` is the previous state. */
function nextHealth(
  webhook: Pick<Webhook, 'url'>,
  failingSince: number | undefined,
  outcome: Pick<AttemptOutcome, 'delivered' | 'status' | 'statusCode'>,
  now: number,
): WebhookHealth {
  const { delivered, status, statusCode } = outcome;
  const lastResponse = { code: statusCode ?? null, status: delivered ? 'active' : 'failed', message: status };
  if (delivered) return { failingSince: undefined, lastResponse };
  const since = failingSince ?? now;
  if (statusCode === statusGone)
    return {
      failingSince: since,
      lastResponse,
      disabledReason: `The receiver at ${webhook.url} responded with 410 Gone.`,
    };
  if (now - since < sustainedFailureMs) return { failingSince: since, lastResponse };
  return {
    failingSince: since,
    lastResponse,
    disabledReason: `All deliveries since ${toIso(since)} have failed. Last error: ${status}.`,
  };
}
