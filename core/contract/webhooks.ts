import Type from 'typebox';
import { defineOperation } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import { literals } from './run-views.ts';
import {
  WebhookKindView,
  WebhookEventView,
  DeliveryDetailView,
  DeliveryView,
  WebhookFormat,
  HookOptions,
  WebhookOwner,
  HookView,
  messageStates,
  MessageView,
} from './webhook-views.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'HTTP or HTTPS URL without username and password',
});
const Secret = Type.String({ maxLength: 255, description: 'Signing secret. Never returned.' });
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Event names, or only `*` for all events of the scope',
});
const hookId = Type.Integer({ minimum: 1, description: 'Webhook ID' });
const deliveryId = Type.Integer({ minimum: 1, description: 'Delivery ID' });

const settings = {
  format: Type.Optional(WebhookFormat),
  verifyTls: Type.Optional(
    Type.Boolean({ description: 'Whether to verify TLS certificates. Default: true.' }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Whether events are sent. Default: true.' })),
  options: Type.Optional(HookOptions),
} as const;

const problems = ['validation_failed'] as const;

export const webhookOperations = {
  'webhooks.catalog': defineOperation({
    summary: 'List event types',
    method: 'GET',
    path: '/webhooks/catalog',
    input: Type.Object({
      kind: Type.Optional(WebhookKindView),
    }),
    output: Type.Object({ events: Type.Array(WebhookEventView) }),
    errors: [],
    role: 'viewer',
  }),
  'webhooks.example': defineOperation({
    summary: 'Get an example payload of an event',
    method: 'GET',
    path: '/webhooks/catalog/{event}/example',
    input: Type.Object({
      event: Type.String({ minLength: 1, maxLength: 100, description: 'Event name' }),
      action: Type.Optional(Type.String({ maxLength: 100, description: 'Value of `action`' })),
    }),
    output: Type.Object({
      payload: Type.Record(Type.String(), Type.Unknown()),
      isReal: Type.Boolean({
        description: 'Whether the example is a real payload. False if generated from the catalog.',
      }),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'webhooks.list': defineOperation({
    summary: 'List webhooks, newest first',
    method: 'GET',
    path: '/webhooks/hooks',
    input: Type.Object({
      kind: Type.Optional(WebhookKindView),
      owner: Type.Optional(WebhookOwner),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ hooks: Type.Array(HookView), nextCursor: NextCursor }),
    errors: [],
    role: 'operator',
    label: 'see the webhooks',
  }),
  'webhooks.create': defineOperation({
    summary: 'Create a webhook and send a `ping`',
    method: 'POST',
    path: '/webhooks/hooks',
    status: 201,
    input: Type.Object({
      kind: Type.Optional(WebhookKindView),
      owner: Type.Optional(WebhookOwner),
      url: Url,
      secret: Type.Optional(Secret),
      events: Type.Optional(Events),
      ...settings,
    }),
    output: HookView,
    errors: problems,
    role: 'manager',
    label: 'create a webhook',
    audit: 'webhook',
  }),
  'webhooks.get': defineOperation({
    summary: 'Get a webhook',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({ hookId }),
    output: HookView,
    errors: ['not_found'],
    role: 'operator',
    label: 'see a webhook',
  }),
  'webhooks.update': defineOperation({
    summary: 'Update a webhook (omitted fields are not changed)',
    method: 'PATCH',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({
      hookId,
      url: Type.Optional(Url),
      secret: Type.Optional(
        Type.Union([Secret, Type.Null()], {
          description: 'Applies immediately, without overlap. Null or empty: no secret.',
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
    label: 'change a webhook',
    audit: 'webhook',
  }),
  'webhooks.delete': defineOperation({
    summary: 'Delete a webhook, and send it a `meta` event if subscribed',
    method: 'DELETE',
    path: '/webhooks/hooks/{hookId}',
    input: Type.Object({ hookId }),
    output: HookView,
    errors: ['not_found', ...problems],
    role: 'manager',
    label: 'delete a webhook',
    audit: 'webhook',
  }),
  'webhooks.rotateSecret': defineOperation({
    summary: 'Rotate the secret of a webhook (the old secret remains valid for a limited time)',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/secret',
    input: Type.Object({
      hookId,
      secret: Type.String({ minLength: 1, maxLength: 255, description: 'New secret' }),
      overlapHours: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 168,
          description:
            'Hours during which an attempt rejected with 400, 401 or 403 is repeated with the old secret. Default: 24.',
        }),
      ),
    }),
    output: HookView,
    errors: ['not_found'],
    role: 'manager',
    label: 'rotate the secret of a webhook',
    audit: 'webhook',
  }),
  'webhooks.ping': defineOperation({
    summary: 'Send a `ping` to a webhook',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/pings',
    input: Type.Object({ hookId }),
    output: Type.Object({ guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
    label: 'ping a webhook',
    audit: 'webhook',
  }),
  'webhooks.test': defineOperation({
    summary: 'Send the latest `push` event to a webhook again, if subscribed',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/tests',
    input: Type.Object({ hookId }),
    output: Type.Object({
      sent: Type.Boolean(),
      reason: Type.Optional(Type.String({ description: 'Reason that nothing was sent' })),
    }),
    errors: ['not_found', ...problems],
    role: 'operator',
    label: 'test a webhook',
    audit: 'webhook',
  }),
  'webhooks.deliveries': defineOperation({
    summary: 'List the deliveries of a webhook, newest first',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}/deliveries',
    input: Type.Object({
      hookId,
      outcome: Type.Optional(literals(['success', 'failure'], { description: 'Filter by result' })),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ deliveries: Type.Array(DeliveryView), nextCursor: NextCursor }),
    errors: ['not_found'],
    role: 'operator',
    label: 'see the deliveries of a webhook',
  }),
  'webhooks.delivery': defineOperation({
    summary: 'Get a delivery with its request and response',
    method: 'GET',
    path: '/webhooks/hooks/{hookId}/deliveries/{deliveryId}',
    input: Type.Object({ hookId, deliveryId }),
    output: DeliveryDetailView,
    errors: ['not_found'],
    role: 'operator',
    label: 'see a delivery of a webhook',
  }),
  'webhooks.redeliver': defineOperation({
    summary: 'Redeliver a delivery with the same GUID',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/deliveries/{deliveryId}/attempts',
    input: Type.Object({ hookId, deliveryId }),
    output: Type.Object({ messageId: Type.Integer(), guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
    label: 'redeliver a webhook delivery',
    audit: 'webhook',
  }),
  'webhooks.replay': defineOperation({
    summary: 'Redeliver events to a webhook since a time',
    method: 'POST',
    path: '/webhooks/hooks/{hookId}/replay',
    input: Type.Object({
      hookId,
      since: Type.String({ maxLength: 40, description: 'ISO 8601, or Unix timestamp in seconds' }),
      only: Type.Optional(
        literals(['failed', 'all'], {
          description: '`failed`: only events that were never delivered. Default: `failed`.',
        }),
      ),
    }),
    output: Type.Object({ replayed: Type.Integer() }),
    errors: ['not_found', ...problems],
    role: 'operator',
    label: 'redeliver events to a webhook',
    audit: 'webhook',
  }),
  'webhooks.messages': defineOperation({
    summary: 'List pending, dead and dropped webhook messages, newest first',
    method: 'GET',
    path: '/webhooks/messages',
    input: Type.Object({
      hookId: Type.Optional(hookId),
      guid: Type.Optional(Type.String({ maxLength: 64, description: 'Filter by event' })),
      state: Type.Optional(
        literals([...messageStates, 'lost'], {
          description: '`lost`: dead and dropped. Default: `lost`, unless `guid` is set.',
        }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({ messages: Type.Array(MessageView), nextCursor: NextCursor }),
    errors: [],
    role: 'operator',
    label: 'see the pending messages of webhooks',
  }),
  'webhooks.retryMessage': defineOperation({
    summary: 'Redeliver a dead message',
    method: 'POST',
    path: '/webhooks/messages/{messageId}/attempts',
    input: Type.Object({ messageId: Type.Integer({ minimum: 1, description: 'Message ID' }) }),
    output: Type.Object({ messageId: Type.Integer(), guid: Type.String() }),
    errors: ['not_found', ...problems],
    role: 'operator',
    label: 'redeliver an event to a webhook',
    audit: 'webhook',
  }),
  'webhooks.emit': defineOperation({
    summary: 'Send an event to webhooks, for testing receivers',
    method: 'POST',
    path: '/webhooks/events',
    // The largest payload, and the other fields.
    maxBodyBytes: 26 * 1_048_576,
    input: Type.Object({
      event: Type.String({ minLength: 1, maxLength: 100, description: 'Event name' }),
      payload: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Payload to send. Missing `sender`, `repository` and `organization` fields are added for this home.',
      }),
      refsAtOnce: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Number of branches or tags created, deleted or pushed together',
        }),
      ),
    }),
    output: Type.Object({
      emitted: Type.Boolean(),
      guid: Type.Optional(Type.String()),
      hooks: Type.Integer({ description: 'Number of webhooks that receive the event' }),
      reason: Type.Optional(Type.String({ description: 'Reason that no webhook receives the event' })),
    }),
    errors: problems,
    role: 'operator',
    label: 'send an event to webhooks',
    audit: 'webhook',
  }),
};
