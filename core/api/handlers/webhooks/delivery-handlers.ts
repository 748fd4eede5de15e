import { fieldError } from '../../../base/errors.ts';
import type { MessageState } from '../../../contract/webhooks/webhook-views.ts';
import { parseCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';
import { parseTimestamp } from '../parse-timestamp.ts';
import { toDeliveryDetail, toDeliveryView, toMessageView } from './webhook-views.ts';

const defaultPageSize = 50;
const allStates: readonly MessageState[] = ['waiting', 'sending', 'delivered', 'dead', 'dropped'];

/** Operations on deliveries of outgoing webhooks. */
export const webhookDeliveryHandlers: HandlersFor<
  | 'webhooks.deliveries'
  | 'webhooks.delivery'
  | 'webhooks.redeliver'
  | 'webhooks.replay'
  | 'webhooks.messages'
  | 'webhooks.retryMessage'
> = {
  'webhooks.deliveries': async ({ limit = defaultPageSize, cursor, ...filter }, { webhooks }) => {
    const { store, hooks } = await webhooks();
    hooks.get(filter.hookId);
    const records = store.listDeliveries({ ...filter, beforeId: parseCursor(cursor), limit: limit + 1 });
    const page = records.slice(0, limit);
    return {
      deliveries: page.map(toDeliveryView),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.delivery': async ({ hookId, deliveryId }, { webhooks }) => {
    const opened = await webhooks();
    const { delivery, event } = opened.delivery(hookId, deliveryId);
    return toDeliveryDetail(opened.hooks.get(hookId), delivery, event);
  },
  'webhooks.redeliver': async ({ hookId, deliveryId }, { webhooks }) =>
    (await webhooks()).redeliver(hookId, deliveryId),
  'webhooks.replay': async ({ hookId, since, only = 'failed' }, { webhooks }) => {
    const from = parseTimestamp('since', since);
    if (from === undefined) throw fieldError('since', 'must not be empty');
    return { replayed: (await webhooks()).replay(hookId, from, only === 'failed') };
  },
  'webhooks.messages': async ({ hookId, guid, state, limit = defaultPageSize, cursor }, { webhooks }) => {
    const { store } = await webhooks();
    const records = store.listMessages({
      hookId,
      guid,
      states: statesOf(state ?? (guid === undefined ? 'lost' : 'any')),
      beforeId: parseCursor(cursor),
      limit: limit + 1,
    });
    const page = records.slice(0, limit);
    return {
      messages: page.map(toMessageView),
      ...(records.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'webhooks.retryMessage': async ({ messageId }, { webhooks }) => (await webhooks()).retryMessage(messageId),
};

const statesOf = (state: MessageState | 'lost' | 'any'): readonly MessageState[] => {
  if (state === 'any') return allStates;
  return state === 'lost' ? ['dead', 'dropped'] : [state];
};
