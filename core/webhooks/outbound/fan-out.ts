import { isWithinSizeLimit, maxBodyBytes } from '../message/encode-body.ts';
import { buildBody } from './build-request.ts';
import type { WebhookCache } from './webhook-cache.ts';
import type { Webhook, NewMessage, StoredEvent, WebhookStore } from './ports.ts';

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
