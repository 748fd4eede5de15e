import type { EncodedBody } from '../message/encode-body.ts';
import { buildBody } from './build-request.ts';
import type { Webhook, StoredEvent, WebhookStore } from './ports.ts';

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
  bodyOf(webhook: Webhook, event: StoredEvent): EncodedBody {
    if (webhook.kind !== 'repository') return buildBody(webhook, event);
    const cached = this.#plain;
    if (cached?.eventId === event.id && cached.format === webhook.format) return cached.body;
    const body = buildBody(webhook, event);
    this.#plain = { eventId: event.id, format: webhook.format, body };
    return body;
  }
}
