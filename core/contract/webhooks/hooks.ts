import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import { literals } from '../runs/run-views.ts';
import { HookKindView, WebhookEventView } from './events.ts';
import {
  DeliveryDetailView,
  DeliveryView,
  HookFormat,
  HookOptions,
  HookOwner,
  HookView,
  messageStates,
  MessageView,
} from './hook-views.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'http or https; without a name and password',
});
const Secret = Type.String({ maxLength: 255, description: 'Signs deliveries; never shown again' });
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of events, or `*` alone for all that the kind can have',
});
const hookId = Type.Integer({ minimum: 1, description: 'Id of a webhook' });
const deliveryId = Type.Integer({ minimum: 1, description: 'Id of a delivery' });

const settings = {
  format: Type.Optional(HookFormat),
  verifyTls: Type.Optional(Type.Boolean({ description: 'True when absent; false takes any certificate' })),
  active: Type.Optional(Type.Boolean({ description: 'True when absent; others get nothing' })),
  options: Type.Optional(HookOptions),
} as const;

const problems = ['validation_failed'] as const;

export const webhookOperations = {
  'webhooks.catalog': defineOperation({
    summary: 'Lists the events that webhooks can have',
    method: 'GET',
    path: '/webhooks/catalog',
    input: Type.Object({
      kind: Type.Optional(HookKindView),
    }),
    output: Type.Object({ events: Type.Array(WebhookEventView) }),
    errors: [],
    role: 'viewer',
  }),
  'webhooks.example': defineOperation({
    summary: 'Shows an example of an event',
    method: 'GET',
    path: '/webhooks/catalog/{event}/example',
    input: Type.Object({
      event: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the event' }),
      action: Type.Optional(Type.String({ maxLength: 100, description: 'With this `action`' })),
    }),
    output: Type.Object({
      payload: Type.Record(Type.String(), Type.Unknown()),
      isReal: Type.Boolean({
        description:
          "Somebody's real payload; otherwise put together from what the catalog says of the event",
      }),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'webhooks.list': defineOperation({
    summary: 'Lists the webhooks that are sent, newest first',
    method: 'GET',
    path: '/webhooks/hooks',
    input: Type.Object({
      kind: Type.Optional(HookKindView),
      owner: Type.Optional(HookOwner),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ hooks: Type.Array(HookView), nextCursor: NextCursor }),
    errors: [],
    role: 'operator',
  }),
  'webhooks.create': defineOperation({
    summary: 'Makes a webhook, and sends it a `ping`',
    method: 'POST',
    path: '/webhooks/hooks',
    status: 201,
    input: Type.Object({
      kind: Type.Optional(HookKindView),
      owner: Type.Optional(HookOwner),
      url: Url,
      secret: Type.Optional(Secret),
      events: Type.Optional(Events),
      ...settings,
    }),
    output: HookView,
    errors: problems,
    role: 'manager',
  }),
  'webhooks.get': defineOperation({
    summary: 'Shows a webhook',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({ hookId }),
    output: HookView,
    errors: ['not_found'],
    role: 'operator',
  }),
  'webhooks.update': defineOperation({
    summary: 'Changes a webhook; what is absent stays',
    method: 'PATCH',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({
      hookId,
      url: Type.Optional(Url),
      secret: Type.Optional(
        Type.Union([Secret, Type.Null()], {
          description: 'Counts at once, without an overlap; null or an empty text: none',
        }),
      ),
      events: Type.Optional(Events),
      addEvents: Type.Optional(Events),
      removeEvents: Type.Optional(Events),
      ...settings,
    }),
    output: HookView,
    errors: ['not_found', ...problems],
    role: 'manager',
  }),
  'webhooks.delete': defineOperation({
    summary: 'Deletes a webhook, and tells it so by `meta` when it has that event',
    method: 'DELETE',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({ hookId }),
    output: HookView,
    errors: ['not_found', ...problems],
    role: 'manager',
  }),
  'webhooks.rotateSecret': defineOperation({
    summary: 'Gives a webhook a new secret; the one before still counts for a while',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/secret',
    input: Type.Object({
      hookId,
      secret: Type.String({ minLength: 1, maxLength: 255, description: 'The new secret' }),
      overlapHours: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 168,
          description:
            'As long as this, an attempt that is refused with 400, 401 or 403 is made again with the secret before; 24 when absent',
        }),
      ),
    }),
    output: HookView,
    errors: ['not_found'],
    role: 'manager',
  }),
  'webhooks.ping': defineOperation({
    summary: 'Sends a webhook a `ping`',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/pings',
    input: Type.Object({ hookId }),
    output: Type.Object({ guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
  }),
  'webhooks.test': defineOperation({
    summary: 'Sends a webhook the newest `push` again, when it has that event and there was one',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/tests',
    input: Type.Object({ hookId }),
    output: Type.Object({
      sent: Type.Boolean(),
      reason: Type.Optional(Type.String({ description: 'Why nothing was sent' })),
    }),
    errors: ['not_found', ...problems],
    role: 'operator',
  }),
  'webhooks.deliveries': defineOperation({
    summary: 'Lists the deliveries of a webhook, newest first',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}/deliveries',
    input: Type.Object({
      hookId,
      outcome: Type.Optional(literals(['success', 'failure'], { description: 'Only those that went so' })),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ deliveries: Type.Array(DeliveryView), nextCursor: NextCursor }),
    errors: ['not_found'],
    role: 'operator',
  }),
  'webhooks.delivery': defineOperation({
    summary: 'Shows a delivery with its request and its response',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}/deliveries/{deliveryId}',
    input: Type.Object({ hookId, deliveryId }),
    output: DeliveryDetailView,
    errors: ['not_found'],
    role: 'operator',
  }),
  'webhooks.redeliver': defineOperation({
    summary: 'Sends a delivery again, with its GUID',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/deliveries/{deliveryId}/attempts',
    input: Type.Object({ hookId, deliveryId }),
    output: Type.Object({ messageId: Type.Integer(), guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
  }),
  'webhooks.replay': defineOperation({
    summary: 'Sends a webhook again what happened since a time',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/replay',
    input: Type.Object({
      hookId,
      since: Type.String({ maxLength: 40, description: 'ISO 8601, or seconds since 1970' }),
      only: Type.Optional(
        literals(['failed', 'all'], {
          description: '`failed`, when absent: only what was never delivered',
        }),
      ),
    }),
    output: Type.Object({ replayed: Type.Integer() }),
    errors: ['not_found', ...problems],
    role: 'operator',
  }),
  'webhooks.messages': defineOperation({
    summary: 'Lists events on their way to webhooks, and those that were given up or dropped, newest first',
    method: 'GET',
    path: '/webhooks/messages',
    input: Type.Object({
      hookId: Type.Optional(hookId),
      guid: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this event' })),
      state: Type.Optional(
        literals([...messageStates, 'lost'], {
          description: '`lost`: dead and dropped; so when absent, unless `guid` is there',
        }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ messages: Type.Array(MessageView), nextCursor: NextCursor }),
    errors: [],
    role: 'operator',
  }),
  'webhooks.retryMessage': defineOperation({
    summary: 'Sends an event that was given up again',
    method: 'POST',
    path: '/webhooks/messages/{messageId}/attempts',
    input: Type.Object({ messageId: Type.Integer({ minimum: 1, description: 'Id of a message' }) }),
    output: Type.Object({ messageId: Type.Integer(), guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
  }),
  'webhooks.emit': defineOperation({
    summary: 'Tells webhooks of an event, as if it had happened; for those who develop receivers',
    method: 'POST',
    path: '/webhooks/events',
    // The largest payload that is sent, and the other fields.
    maxBodyBytes: 26 * 1_048_576,
    input: Type.Object({
      event: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the event' }),
      payload: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'As it is sent; `sender`, and `repository` or `organization` of this home, are added where it does not say them',
      }),
      refsAtOnce: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'How many branches or tags were created, deleted or pushed in the same go',
        }),
      ),
    }),
    output: Type.Object({
      emitted: Type.Boolean(),
      guid: Type.Optional(Type.String()),
      hooks: Type.Integer({ description: 'Webhooks that get it' }),
      reason: Type.Optional(Type.String({ description: 'Why nobody is told' })),
    }),
    errors: problems,
    role: 'operator',
  }),
};
