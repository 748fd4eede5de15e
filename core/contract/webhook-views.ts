import Type, { type Static } from 'typebox';
import { literals, Timestamp } from './run-views.ts';

/** Kinds of webhook owners. */
export const webhookKinds = [
  'repository',
  'organization',
  'enterprise',
  'app',
  'marketplace',
  'sponsored',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

export const WebhookKindView = literals(webhookKinds, { description: 'Scope of a webhook' });
const Names = Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true });

const commonProperties = ['sender', 'repository', 'installation', 'organization', 'enterprise'] as const;

/** Permission that apps need to subscribe: read access, or write access for some actions. */
const EventPermission = Type.Object(
  {
    labels: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Permission names. Any of them is sufficient.',
    }),
    of: Type.Optional(
      Type.Array(literals(['repository', 'organization', 'app']), {
        minItems: 1,
        description: 'Resources that the permission applies to. Missing if not specified.',
      }),
    ),
    writeActions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Actions that require write access. Other actions require read access.',
      }),
    ),
  },
  { additionalProperties: false },
);

const EventProperty = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    optional: Type.Optional(Type.Literal(true, { description: 'Only for some actions' })),
    list: Type.Optional(Type.Literal(true)),
    fields: Type.Optional(Names),
  },
  { additionalProperties: false },
);

/** Rules of single events in addition to permission and availability. */
const EventRules = Type.Object(
  {
    autoSubscribed: Type.Optional(
      Type.Literal('write', { description: 'Sent to apps with write access without a subscription' }),
    ),
    alwaysSent: Type.Optional(
      Type.Array(WebhookKindView, { description: 'Webhooks that always receive this event' }),
    ),
    selectable: Type.Optional(Type.Literal(false, { description: 'Cannot be subscribed to manually' })),
    removable: Type.Optional(Type.Literal(false, { description: 'Cannot be unsubscribed from' })),
    actionsByKind: Type.Optional(
      Type.Partial(Type.Object({ repository: Names, organization: Names }), {
        description: 'Actions that webhooks of this kind receive',
      }),
    ),
    supersededBy: Type.Optional(Type.String()),
    closingDown: Type.Optional(Type.Literal(true)),
    preview: Type.Optional(Type.Literal(true, { description: 'Subject to change' })),
  },
  { additionalProperties: false },
);

/** One row of the event catalog. */
export const WebhookEventView = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    aliases: Type.Optional(Type.Array(Type.String(), { description: 'Other accepted names' })),
    described: Type.String({ minLength: 1, description: 'Description of the event' }),
    describedAction: Type.Optional(Type.String({ description: 'Action that the description applies to' })),
    actions: Type.Union([Names, Type.Literal('any')], {
      description: 'Values of `action`. None if the payload has no action.',
    }),
    availability: Type.Array(WebhookKindView, {
      minItems: 1,
      description: 'Scopes that can receive this event',
    }),
    permission: Type.Optional(EventPermission),
    permissionNote: Type.Optional(
      literals(['none needed', 'not published'], { description: 'Reason that there is no permission' }),
    ),
    rules: EventRules,
    always: Type.Array(literals(commonProperties), {
      description: 'Common properties in every payload',
    }),
    sometimes: Type.Array(literals(commonProperties), {
      description: 'Common properties that a payload can have',
    }),
    properties: Type.Array(EventProperty, { description: 'Properties specific to this event' }),
    facts: Type.Array(Type.String(), { description: 'Notes for receivers, one sentence each' }),
  },
  { additionalProperties: false },
);
export type WebhookEventView = Static<typeof WebhookEventView>;

/** States of a message for a webhook. */
export const messageStates = ['waiting', 'sending', 'delivered', 'dead', 'dropped'] as const;
export type MessageState = (typeof messageStates)[number];

/** Delivery options of a webhook that differ from the defaults. */
export const HookOptions = Type.Object(
  {
    allowPrivate: Type.Optional(
      Type.Boolean({ description: 'Allow loopback and private network addresses. Default: false.' }),
    ),
    waits: Type.Optional(
      Type.Array(Type.Number({ minimum: 0, maximum: 604_800 }), {
        maxItems: 20,
        description:
          'Seconds before the second attempt, the third, and so on. An empty list means a single attempt. Default: 5, 300, 1800, 7200, 18000, 36000, 36000.',
      }),
    ),
    jitter: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Random variation of the delay, as a fraction. Default: 0.2.',
      }),
    ),
    timeoutSec: Type.Optional(
      Type.Number({ minimum: 1, maximum: 60, description: 'Timeout of an attempt in seconds. Default: 10.' }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Maximum number of parallel attempts. Default: 4.',
      }),
    ),
    perSecond: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 10_000,
        description: 'Maximum number of attempts per second. Default: unlimited.',
      }),
    ),
    ordered: Type.Optional(
      Type.Boolean({
        description: 'Deliver in order. A failing delivery blocks later deliveries.',
      }),
    ),
    githubHeaders: Type.Optional(
      Type.Boolean({
        description:
          'Send each `X-Platform-*` header also as `X-GitHub-*`, for receivers that expect GitHub headers. Default: false.',
      }),
    ),
    permissions: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), literals(['read', 'write']), {
        description: 'Permissions of an app, by name',
      }),
    ),
    installations: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
            account: Type.String({ minLength: 1, maxLength: 100, description: 'User or organization' }),
            repositories: Type.Optional(
              Type.Array(Type.String({ minLength: 3, maxLength: 200 }), {
                description: 'Full repository names. Default: all repositories of the account.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 1000, description: 'Installations of an app. Default: everywhere.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Delivery options that differ from the defaults' },
);
export type HookOptions = Static<typeof HookOptions>;

const LastResponse = Type.Object({
  code: Type.Union([Type.Integer(), Type.Null()]),
  status: Type.String({ description: '`unused`, `active`, or the error' }),
  message: Type.Union([Type.String(), Type.Null()]),
});
export type LastResponse = Static<typeof LastResponse>;

/** Format of the request body. */
export const WebhookFormat = literals(['json', 'form'], {
  description: '`form`: JSON in the form field `payload`',
});
/** The owner of a webhook. */
export const WebhookOwner = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Scope: `owner/name` of a repository, the login of an organization or account, or the slug of an enterprise, app or listing',
});

/** An outgoing webhook without its secrets. */
export const HookView = Type.Object({
  id: Type.Integer(),
  kind: WebhookKindView,
  owner: WebhookOwner,
  targetId: Type.Integer({ description: 'Owner ID, as sent in deliveries' }),
  url: Type.String(),
  format: WebhookFormat,
  verifyTls: Type.Boolean(),
  active: Type.Boolean(),
  hasSecret: Type.Boolean(),
  formerSecretUntil: Type.Optional(Timestamp),
  events: Type.Array(Type.String()),
  options: HookOptions,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  failingSince: Type.Optional(Timestamp),
  disabledReason: Type.Optional(
    Type.String({
      description: 'Reason that the webhook was disabled automatically. Removed when it is reactivated.',
    }),
  ),
  lastResponse: LastResponse,
  messages: Type.Optional(
    Type.Partial(
      Type.Object({
        waiting: Type.Integer(),
        sending: Type.Integer(),
        delivered: Type.Integer(),
        dead: Type.Integer(),
        dropped: Type.Integer(),
      }),
      { description: 'Number of messages by state' },
    ),
  ),
});
export type HookView = Static<typeof HookView>;

const deliveryFields = {
  id: Type.Integer(),
  messageId: Type.Integer(),
  guid: Type.String({ description: 'ID of the event, the same for all webhooks and attempts' }),
  event: Type.String(),
  action: Type.Optional(Type.String()),
  deliveredAt: Timestamp,
  redelivery: Type.Boolean(),
  durationMs: Type.Integer(),
  delivered: Type.Boolean(),
  status: Type.String({ description: '`OK`, or an error description' }),
  statusCode: Type.Optional(Type.Integer({ description: 'Missing if there was no response' })),
  installationId: Type.Optional(Type.Integer()),
  repositoryId: Type.Optional(Type.Integer()),
} as const;

/** One delivery attempt. */
export const DeliveryView = Type.Object(deliveryFields);
export type DeliveryView = Static<typeof DeliveryView>;

const HeadersView = Type.Record(Type.String(), Type.String());

/** A delivery attempt with its request and response. */
export const DeliveryDetailView = Type.Object({
  ...deliveryFields,
  url: Type.String(),
  request: Type.Object({
    headers: HeadersView,
    body: Type.String({ description: 'Exact request body that was sent and signed' }),
  }),
  response: Type.Optional(
    Type.Object({
      headers: HeadersView,
      body: Type.String({ description: 'First 20 kB of the response body' }),
      cut: Type.Boolean(),
    }),
  ),
});
export type DeliveryDetailView = Static<typeof DeliveryDetailView>;

/** An event for a webhook that is pending, delivered or lost. */
export const MessageView = Type.Object({
  id: Type.Integer(),
  hookId: Type.Integer(),
  guid: Type.String(),
  event: Type.String(),
  action: Type.Optional(Type.String()),
  state: literals(messageStates, {
    description: '`dead`: all attempts failed; `dropped`: over 25 MB, never sent',
  }),
  attempts: Type.Integer(),
  dueAt: Timestamp,
  redelivery: Type.Boolean(),
  createdAt: Timestamp,
  reason: Type.Optional(Type.String()),
});
export type MessageView = Static<typeof MessageView>;
