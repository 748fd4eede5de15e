import type { EncodedBody } from '../message/encode-body.ts';
import { buildBody } from './build-request.ts';
import type { Hook, StoredEvent, WebhookStore } from './ports.ts';

/**
 * Bytes of payloads that are kept at hand for other hooks of the same event, which are told of it at about the same time.
 * The heap grows to a few times of what it holds for long.
 */
const mostBytes = 1024 * 1024;

/** The newest events, so that one that many hooks get is read once. */
export class KeptBodies {
  readonly #store: Pick<WebhookStore, 'findEvent'>;
  readonly #events = new Map<number, StoredEvent>();
  /** The body of the last event that needed nothing added, which is the same for every such hook. */
  #plain: { readonly eventId: number; readonly format: string; readonly body: EncodedBody } | undefined;
  #bytes = 0;

  constructor(store: Pick<WebhookStore, 'findEvent'>) {
    this.#store = store;
  }

  /** An event; undefined when it is gone. */
  find(id: number): StoredEvent | undefined {
    const known = this.#events.get(id);
    if (known !== undefined) return known;
    const event = this.#store.findEvent(id);
    if (event === undefined) return undefined;
    this.#events.set(id, event);
    this.#bytes += event.bytes;
    for (const [oldest, { bytes }] of this.#events) {
      if (this.#bytes <= mostBytes || oldest === id) break;
      this.#events.delete(oldest);
      this.#bytes -= bytes;
    }
    return event;
  }

  /** The body that a hook gets of an event. */
  bodyOf(hook: Hook, event: StoredEvent): EncodedBody {
    if (hook.kind !== 'repository') return buildBody(hook, event);
    const kept = this.#plain;
    if (kept?.eventId === event.id && kept.format === hook.format) return kept.body;
    const body = buildBody(hook, event);
    this.#plain = { eventId: event.id, format: hook.format, body };
    return body;
  }
}
