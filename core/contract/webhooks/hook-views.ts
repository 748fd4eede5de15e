import Type, { type Static } from 'typebox';
import { literals, Timestamp } from '../runs/run-views.ts';
import { HookKindView } from './events.ts';

/** Where a message for a hook can stand. */
export const messageStates = ['waiting', 'sending', 'delivered', 'dead', 'dropped'] as const;
export type MessageState = (typeof messageStates)[number];

/** How a webhook is delivered, where that is not as usual. */
export const HookOptions = Type.Object(
  {
    allowPrivate: Type.Optional(
      Type.Boolean({ description: 'May go to this machine and to private networks; not when absent' }),
    ),
    waits: Type.Optional(
      Type.Array(Type.Number({ minimum: 0, maximum: 604_800 }), {
        maxItems: 20,
        description:
          'Seconds before the second attempt, the third, …; an empty list for one attempt only. When absent: 5, 300, 1800, 7200, 18000, 36000, 36000',
      }),
    ),
    jitter: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of a wait by which it is made longer or shorter at random; 0.2 when absent',
      }),
    ),
    timeoutSec: Type.Optional(
      Type.Number({ minimum: 1, maximum: 60, description: 'Of an attempt, seconds; 10 when absent' }),
    ),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'Attempts at the same time; 4 when absent' }),
    ),
    perSecond: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 10_000,
        description: 'Attempts a second at most; no limit when absent',
      }),
    ),
    ordered: Type.Optional(
      Type.Boolean({
        description: 'One after the other: what cannot be delivered holds up what comes after it',
      }),
    ),
    githubHeaders: Type.Optional(
      Type.Boolean({
        description:
          'Send each `X-Platform-*` header also as `X-GitHub-*`, for receivers made for GitHub; false when absent',
      }),
    ),
    permissions: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), literals(['read', 'write']), {
        description: 'Of an app: its access by the name of the permission',
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
                description: 'Full names; all of the account when absent',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 1000, description: 'Of an app: where it is installed; everywhere when absent' },
      ),
    ),
  },
  { additionalProperties: false, description: 'How it is delivered, where that is not as usual' },
);
export type HookOptions = Static<typeof HookOptions>;

const LastResponse = Type.Object({
  code: Type.Union([Type.Integer(), Type.Null()]),
  status: Type.String({ description: '`unused`, `active`, or what went wrong' }),
  message: Type.Union([Type.String(), Type.Null()]),
});
export type LastResponse = Static<typeof LastResponse>;

/** How a receiver wants its bodies. */
export const HookFormat = literals(['json', 'form'], {
  description: '`form`: the JSON in the field `payload` of a form',
});
/** What a webhook belongs to. */
export const HookOwner = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'What it belongs to: `owner/name` of a repository, the login of an organization or account, the slug of an enterprise, app or listing',
});

/** A webhook that is sent, without its secrets. */
export const HookView = Type.Object({
  id: Type.Integer(),
  kind: HookKindView,
  owner: HookOwner,
  targetId: Type.Integer({ description: 'Id of the owner, as deliveries name it' }),
  url: Type.String(),
  format: HookFormat,
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
    Type.String({ description: 'Why it was switched off by itself; until somebody switches it on' }),
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
      { description: 'How many there are in each state' },
    ),
  ),
});
export type HookView = Static<typeof HookView>;

const deliveryFields = {
  id: Type.Integer(),
  messageId: Type.Integer(),
  guid: Type.String({ description: 'Of the event: the same for all webhooks and attempts' }),
  event: Type.String(),
  action: Type.Optional(Type.String()),
  deliveredAt: Timestamp,
  redelivery: Type.Boolean(),
  durationMs: Type.Integer(),
  delivered: Type.Boolean(),
  status: Type.String({ description: '`OK`, or what went wrong, in words' }),
  statusCode: Type.Optional(Type.Integer({ description: 'Absent when there was no answer' })),
  installationId: Type.Optional(Type.Integer()),
  repositoryId: Type.Optional(Type.Integer()),
} as const;

/** One attempt to deliver. */
export const DeliveryView = Type.Object(deliveryFields);
export type DeliveryView = Static<typeof DeliveryView>;

const HeadersView = Type.Record(Type.String(), Type.String());

/** The same with what was sent and answered. */
export const DeliveryDetailView = Type.Object({
  ...deliveryFields,
  url: Type.String(),
  request: Type.Object({
    headers: HeadersView,
    body: Type.String({ description: 'The very text that was sent and signed' }),
  }),
  response: Type.Optional(
    Type.Object({
      headers: HeadersView,
      body: Type.String({ description: 'The first 20 kB' }),
      cut: Type.Boolean(),
    }),
  ),
});
export type DeliveryDetailView = Static<typeof DeliveryDetailView>;

/** An event on its way to a webhook, or lost. */
export const MessageView = Type.Object({
  id: Type.Integer(),
  hookId: Type.Integer(),
  guid: Type.String(),
  event: Type.String(),
  action: Type.Optional(Type.String()),
  state: literals(messageStates, {
    description: '`dead`: given up after the last attempt; `dropped`: over 25 MB, and never sent',
  }),
  attempts: Type.Integer(),
  dueAt: Timestamp,
  redelivery: Type.Boolean(),
  createdAt: Timestamp,
  reason: Type.Optional(Type.String()),
});
export type MessageView = Static<typeof MessageView>;
