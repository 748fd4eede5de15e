import { LruCache } from '../../base/lru-cache.ts';
import type {
  Webhook,
  DueWebhook,
  DeliveryClaim,
  NewMessage,
  StoredEvent,
  WebhookStore,
} from '../../store/types/webhooks.ts';
import { isWithinSizeLimit, maxBodyBytes, buildBody, type EncodedBody } from './build-request.ts';
import type { WebhookCache } from './webhook-cache.ts';

/** Default number of parallel attempts per hook. */
const usualConcurrency = 4;

/** Delivery state of a hook. */
interface DeliveryQueue {
  /** Number of messages in delivery. */
  taken: number;
  /** Due time of the earliest waiting message, epoch milliseconds; undefined if none waits, infinite while it is read. */
  dueAt: number | undefined;
  /** Tokens of the rate limit, and the time of the last refill (monotonic milliseconds). */
  tokens: number;
  reckonedAt: number;
}

/** Current time: due times use the wall clock, the rate limit uses the monotonic clock. */
export interface Timestamps {
  readonly now: number;
  readonly monotonic: number;
}

/**
 * Hooks with pending messages, and how many each may send now: limited by concurrency, rate, and order. Served
 * round-robin, so that a busy hook does not delay others.
 */
export class DeliveryQueues {
  readonly #queues = new Map<number, DeliveryQueue>();

  /**
   * Reloads the waiting messages; messages in delivery are unaffected. Messages that are noted meanwhile stay, because
   * they may not have been read. After an error, nothing is due until the next reload.
   */
  async reload(read: () => Promise<readonly DueWebhook[]>): Promise<void> {
    for (const queue of this.#queues.values()) queue.dueAt = Infinity;
    for (const { hookId, dueAt } of await read()) this.note(hookId, dueAt);
    for (const queue of this.#queues.values()) if (queue.dueAt === Infinity) queue.dueAt = undefined;
  }

  /** Notes that a hook has a message due at this time or earlier. */
  note(hookId: number, dueAt: number): void {
    const queue = this.#getQueue(hookId);
    queue.dueAt = Math.min(queue.dueAt ?? dueAt, dueAt);
  }

  /** Returns which hooks may take messages now, at most `room` messages. */
  plan(
    room: number,
    { now, monotonic }: Timestamps,
    find: (hookId: number) => Webhook | undefined,
  ): DeliveryClaim['requests'][number][] {
    const requests: DeliveryClaim['requests'][number][] = [];
    let remaining = room;
    for (const [hookId, queue] of [...this.#queues]) {
      if (remaining === 0) break;
      if (queue.dueAt === undefined || queue.dueAt > now) continue;
      const webhook = find(hookId);
      const limit = webhook && Math.min(remaining, this.#countFreeSlots(queue, webhook, monotonic));
      if (webhook === undefined || !limit) continue;
      requests.push({ hookId, limit, ordered: webhook.options.ordered === true });
      remaining -= limit;
      // Moves it to the end of the queue.
      this.#queues.delete(hookId);
      this.#queues.set(hookId, queue);
    }
    return requests;
  }

  /** Notes taken messages. The earliest due time of the remaining ones must be read next. */
  take(hookId: number, count: number): void {
    const queue = this.#getQueue(hookId);
    queue.taken += count;
    queue.tokens -= count;
    queue.dueAt = Infinity;
  }

  /** Notes the earliest due time of the messages that remained in the store. */
  noteRemaining(hookId: number, dueAt: number | undefined): void {
    const queue = this.#getQueue(hookId);
    if (dueAt !== undefined) this.note(hookId, dueAt);
    else if (queue.dueAt === Infinity) queue.dueAt = undefined;
    this.#removeIfIdle(hookId, queue);
  }

  /** Notes a finished message. */
  finish(hookId: number): void {
    const queue = this.#getQueue(hookId);
    queue.taken -= 1;
    this.#removeIfIdle(hookId, queue);
  }

  #removeIfIdle(hookId: number, queue: DeliveryQueue): void {
    if (queue.taken === 0 && queue.dueAt === undefined) this.#queues.delete(hookId);
  }

  #countFreeSlots(
    queue: DeliveryQueue,
    { active, deletedAt, options, channel }: Webhook,
    monotonic: number,
  ): number {
    if (!active && deletedAt === undefined) return 0;
    // A host with a desktop takes them.
    if (channel?.kind === 'desktop') return 0;
    const { ordered, concurrency = usualConcurrency, perSecond } = options;
    const free = (ordered === true ? 1 : concurrency) - queue.taken;
    if (perSecond === undefined) return Math.max(0, free);
    const max = Math.max(1, perSecond / 10);
    queue.tokens = Math.min(max, queue.tokens + ((monotonic - queue.reckonedAt) / 1000) * perSecond);
    queue.reckonedAt = monotonic;
    return Math.max(0, Math.min(free, Math.floor(queue.tokens)));
  }

  #getQueue(hookId: number): DeliveryQueue {
    let queue = this.#queues.get(hookId);
    if (queue === undefined) {
      queue = { taken: 0, dueAt: undefined, tokens: 1, reckonedAt: Number.NEGATIVE_INFINITY };
      this.#queues.set(hookId, queue);
    }
    return queue;
  }
}

/** Number of events per transaction. */
const portion = 100;

/** Maximum size of a form relative to its JSON: every byte as `%XX`, plus the field name. */
const maxFormLength = 3;

/**
 * Creates messages of new events for the subscribed hooks. A payload that is too large becomes a dropped message: it
 * is not sent, but listed as dropped.
 * @param refresh updates the cache, so that it contains all hooks that are older than an event
 * @returns whether there may be more events
 */
export async function fanOut(
  store: WebhookStore,
  cache: WebhookCache,
  at: number,
  refresh: () => Promise<void>,
): Promise<{ hooks: Set<number>; isMore: boolean }> {
  const events = await store.listNewEvents(portion);
  if (events.length > 0) await refresh();
  const made = events.map((event) => ({ eventId: event.id, messages: createMessages(event, cache) }));
  if (made.length > 0) await store.addMessages(made, at);
  const webhooks = new Set(made.flatMap(({ messages }) => messages.map(({ hookId }) => hookId)));
  return { hooks: webhooks, isMore: events.length === portion };
}

const createMessages = (event: StoredEvent, cache: WebhookCache): NewMessage[] =>
  cache.select(event).map((webhook) => ({ hookId: webhook.id, reason: findDropReason(webhook, event) }));

function findDropReason(webhook: Webhook, event: StoredEvent): string | undefined {
  if (event.payload === undefined) return dropReason(`The payload of ${event.bytes} bytes`);
  if (event.bytes * maxFormLength < maxBodyBytes) return undefined;
  const body = buildBody(webhook, event);
  if (isWithinSizeLimit(body)) return undefined;
  return dropReason(
    `The payload of ${event.bytes} bytes becomes a${webhook.format === 'form' ? ' form' : ''} body of ${body.bytes.length} bytes, which`,
  );
}

const dropReason = (what: string): string =>
  `${what} exceeds the limit of 25 MB (${maxBodyBytes} bytes) and was not sent.`;

/**
 * Size of the payload cache for hooks that receive the same event at about the same time. The heap grows to a multiple
 * of this.
 */
const maxBytes = 1024 * 1024;

/** Cache of the newest events, so that an event with many hooks is read once. */
export class EventBodyCache {
  readonly #store: Pick<WebhookStore, 'findEvent'>;
  readonly #events = new LruCache<number, StoredEvent>(maxBytes, ({ bytes }) => bytes);
  /** Events that are being read, for the other messages that need them. */
  readonly #reading = new Map<number, Promise<StoredEvent | undefined>>();
  /** The last body without hook-specific properties, which is the same for all such hooks. */
  #plain: { readonly eventId: number; readonly format: string; readonly body: EncodedBody } | undefined;

  constructor(store: Pick<WebhookStore, 'findEvent'>) {
    this.#store = store;
  }

  /** Returns an event; undefined if deleted. */
  async find(id: number): Promise<StoredEvent | undefined> {
    const known = this.#events.get(id) ?? this.#reading.get(id);
    if (known !== undefined) return known;
    const reading = this.#read(id);
    this.#reading.set(id, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(id);
    }
  }

  async #read(id: number): Promise<StoredEvent | undefined> {
    const event = await this.#store.findEvent(id);
    if (event !== undefined) this.#events.set(id, event);
    return event;
  }

  /** Returns the body of an event for a hook. */
  getBody(webhook: Webhook, event: StoredEvent): EncodedBody {
    if (webhook.kind !== 'repository') return buildBody(webhook, event);
    const cached = this.#plain;
    if (cached?.eventId === event.id && cached.format === webhook.format) return cached.body;
    const body = buildBody(webhook, event);
    this.#plain = { eventId: event.id, format: webhook.format, body };
    return body;
  }
}
