import type { Webhook, NewMessage, StoredEvent, WebhookStore } from '../../store/types/webhooks.ts';
import { isWithinSizeLimit, maxBodyBytes, buildBody, type EncodedBody } from './build-request.ts';
import type { WebhookCache } from './webhook-cache.ts';

/** Number of events per transaction. */
const portion = 100;

/** Maximum size of a form relative to its JSON: every byte as `%XX`, plus the field name. */
const maxFormLength = 3;

/**
 * Creates messages of new events for the subscribed hooks. A payload that is too large becomes a dropped message: it
 * is not sent, but listed as dropped.
 * @returns whether there may be more events
 */
export function fanOut(
  store: WebhookStore,
  cache: WebhookCache,
  at: number,
): { hooks: Set<number>; isMore: boolean } {
  const events = store.listNewEvents(portion);
  const made = events.map((event) => ({ eventId: event.id, messages: createMessages(event, cache) }));
  if (made.length > 0) store.addMessages(made, at);
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
  readonly #events = new Map<number, StoredEvent>();
  /** The last body without hook-specific properties, which is the same for all such hooks. */
  #plain: { readonly eventId: number; readonly format: string; readonly body: EncodedBody } | undefined;
  #bytes = 0;

  constructor(store: Pick<WebhookStore, 'findEvent'>) {
    this.#store = store;
  }

  /** Returns an event; undefined if deleted. */
  find(id: number): StoredEvent | undefined {
    const known = this.#events.get(id);
    if (known !== undefined) return known;
    const event = this.#store.findEvent(id);
    if (event === undefined) return undefined;
    this.#events.set(id, event);
    this.#bytes += event.bytes;
    for (const [oldest, { bytes }] of this.#events) {
      if (this.#bytes <= maxBytes || oldest === id) break;
      this.#events.delete(oldest);
      this.#bytes -= bytes;
    }
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
