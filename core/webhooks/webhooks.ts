import { AppError } from '../base/errors.ts';
import { type Clock, nextTick } from '../base/clock.ts';
import { LARGE_JSON } from '../base/json.ts';
import { WebhookCache } from './outbound/webhook-cache.ts';
import type { Delivery, ListedMessage, StoredEvent, WebhookStore } from '../store/types/webhooks.ts';
import { composeEvent, explainNoRecipients, type EmitEventOptions } from './emit-event.ts';
import { WebhookSubscriptions } from './webhook-subscriptions.ts';
import { webhookInactiveError, fieldsError, subscribedEvents } from './check-webhook.ts';

/** Outcome of emitting an event. */
export interface EmitResult {
  readonly emitted: boolean;
  readonly guid?: string;
  /** Number of hooks that receive it. */
  readonly hooks: number;
  readonly reason?: string;
}

/** A resent message. */
export interface ResentMessage {
  readonly messageId: number;
  readonly guid: string;
}

/** Management of outgoing webhooks. */
export class Webhooks {
  readonly store: WebhookStore;
  readonly hooks: WebhookSubscriptions;
  readonly #clock: Clock;
  readonly #cache: WebhookCache;
  readonly #wake: (hookId?: number) => void;

  constructor(store: WebhookStore, clock: Clock, random: () => number, wake: (hookId?: number) => void) {
    this.store = store;
    this.hooks = new WebhookSubscriptions(store, clock, random, wake);
    this.#clock = clock;
    this.#cache = new WebhookCache(store);
    this.#wake = wake;
  }

  /** Emits an event. Rejects with `validation_failed`. */
  async emit(options: EmitEventOptions): Promise<EmitResult> {
    const composed = composeEvent(options);
    if (!composed.emitted) return { emitted: false, hooks: 0, reason: composed.reason };
    const json = JSON.stringify(composed.event.payload);
    const encoded = json.length > LARGE_JSON ? await this.#encode(json) : undefined;
    await this.#cache.refresh();
    const [event] = await this.store.addEvents([{ ...composed.event, json, encoded }], this.#clock.now());
    this.#wake();
    const webhooks = this.#cache.select(event!).length;
    return {
      emitted: true,
      guid: event!.guid,
      hooks: webhooks,
      ...(webhooks === 0 && { reason: explainNoRecipients(event!) }),
    };
  }

  /** Encodes in an event loop turn of its own, separate from serializing and storing. */
  async #encode(json: string): Promise<Buffer> {
    await nextTick(this.#clock);
    const encoded = Buffer.from(json);
    await nextTick(this.#clock);
    return encoded;
  }

  /** Resends the newest push (GitHub: `tests`). Rejects with `not_found`, `validation_failed`. */
  async test(id: number): Promise<{ readonly sent: boolean; readonly reason?: string }> {
    const webhook = await this.hooks.get(id);
    if (webhook.kind !== 'repository')
      throw fieldsError('Hook', [
        {
          field: 'kind',
          code: 'invalid',
          message: 'Only repository webhooks support test deliveries. Send a ping instead.',
        },
      ]);
    if (!subscribedEvents(webhook).has('push'))
      return { sent: false, reason: 'The webhook is not subscribed to "push".' };
    const push = await this.store.findLatestEvent('push', webhook.owner);
    if (push === undefined) return { sent: false, reason: `No recent push to ${webhook.owner}.` };
    await this.#resend(push, id);
    return { sent: true };
  }

  /** Returns a delivery with its event. Rejects with `not_found`. */
  async delivery(
    hookId: number,
    id: number,
  ): Promise<{ readonly delivery: Delivery; readonly event: StoredEvent }> {
    const delivery = await this.store.findDelivery((await this.hooks.get(hookId)).id, id);
    const event = delivery && (await this.store.findEvent(delivery.eventId));
    if (delivery === undefined || event === undefined)
      throw new AppError('not_found', `Webhook ${hookId} has no delivery ${id}. It may have been deleted.`);
    return { delivery, event };
  }

  /** Resends a delivery with its GUID. Rejects with `not_found`, `validation_failed`. */
  async redeliver(hookId: number, deliveryId: number): Promise<ResentMessage> {
    return this.#resend((await this.delivery(hookId, deliveryId)).event, hookId);
  }

  /** Resends a failed message. Rejects with `not_found`, `validation_failed`. */
  async retryMessage(id: number): Promise<ResentMessage> {
    const message = await this.store.findMessage(id);
    const event = message && (await this.store.findEvent(message.eventId));
    if (message === undefined || event === undefined)
      throw new AppError('not_found', `Message ${id} not found. It may have been deleted.`);
    assertFinished(message);
    return this.#resend(event, message.hookId);
  }

  /** Resends all events since a time (epoch milliseconds) and returns their number. Rejects with `not_found`. */
  async replay(hookId: number, since: number, onlyFailed: boolean): Promise<number> {
    await this.hooks.get(hookId);
    const replayed = await this.store.replay({ hookId, since, onlyFailed }, this.#clock.now());
    this.#wake(hookId);
    return replayed;
  }

  async #resend(event: StoredEvent, hookId: number): Promise<ResentMessage> {
    const { active } = await this.hooks.get(hookId);
    if (!active) throw webhookInactiveError(hookId);
    if (event.payload === undefined)
      throw fieldsError('Hook', [
        { field: 'payload', code: 'invalid', message: 'The payload exceeds the limit of 25 MB.' },
      ]);
    const messageId = await this.store.addRedelivery({ eventId: event.id, hookId }, this.#clock.now());
    this.#wake(hookId);
    return { messageId, guid: event.guid };
  }
}

function assertFinished({ state }: ListedMessage): void {
  if (state !== 'waiting' && state !== 'sending') return;
  throw fieldsError('Event', [
    {
      field: 'state',
      code: 'invalid',
      message: 'The message is not dead: another attempt is pending.',
    },
  ]);
}
