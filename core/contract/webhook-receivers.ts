import Type, { type Static } from 'typebox';
import { defineOperation } from './operation.ts';
import { literals, RunRefView, Timestamp } from './run-views.ts';

/** How requests prove where they come from. */
const schemes = ['platform', 'standard', 'bearer'] as const;
const day = 86_400;

const Scheme = literals(schemes, {
  description:
    'How requests prove where they come from: X-Hub-Signature-256, Standard Webhooks, or a bearer token',
});
const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  description: 'Name: at most 64 of A-Za-z0-9_.-',
});
const Secret = Type.String({ minLength: 1, maxLength: 1024 });
const receiverId = Type.String({ minLength: 1, maxLength: 64 });

/** What may be decided about a receiver, and is decided for it when nobody does. */
const settings = {
  /** A SHA-1 signature is enough where there is none with SHA-256; false when absent. */
  allowSha1: Type.Optional(Type.Boolean()),
  /** Longest body; 26214400 (25 MiB) when absent. */
  maxBodyBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 25 * 1_048_576 })),
  /** Seconds within which a delivery that comes again is taken for the same; 259200 (three days) when absent, 0 for never. */
  dedupeSec: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 * day })),
  /** Days that deliveries are kept; 30 when absent. Never less than `dedupeSec`. */
  keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  /** Whether requests are taken; true when absent. */
  active: Type.Optional(Type.Boolean()),
};

/** A receiver, without its secrets, which nobody can show again. */
export const ReceiverView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Where senders reach it: an address of this server, or below `server.publicUrl`. */
  url: Type.String(),
  /** The path of that. */
  path: Type.String(),
  scheme: Scheme,
  /** Each secret that counts; those of before a rotation with their end. */
  secrets: Type.Array(Type.Object({ until: Type.Optional(Timestamp) })),
  allowSha1: Type.Boolean(),
  maxBodyBytes: Type.Integer(),
  dedupeSec: Type.Integer(),
  keepDays: Type.Integer(),
  active: Type.Boolean(),
  /** Workflows that listen to it, by file name. */
  workflows: Type.Array(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ReceiverView = Static<typeof ReceiverView>;

/** What became of one trigger of a workflow. */
const DecisionView = Type.Object({
  /** The workflow file, without its ending. */
  workflow: Type.String(),
  /** Which trigger of it, from 0. */
  trigger: Type.Integer(),
  outcome: literals(['started', 'pending', 'replaced', 'refused', 'passed_over'], {
    description:
      'started; pending: it will be; replaced: by a later delivery; refused: it could not be started; passed_over: it was not meant',
  }),
  /** Why not, a sentence. */
  reason: Type.Optional(Type.String()),
  run: Type.Optional(RunRefView),
  /** Of a `pending` one: not before this time. */
  dueAt: Type.Optional(Timestamp),
});

/** A request that came to a receiver. */
export const ReceivedDeliveryView = Type.Object({
  id: Type.String(),
  receivedAt: Timestamp,
  status: literals(['accepted', 'duplicate', 'refused'], {
    description: 'accepted; duplicate: it came before; refused: not proved, or not readable',
  }),
  verified: Type.Boolean(),
  /** How it was proved: sha256, sha1, standard or bearer. */
  proof: Type.Optional(Type.String()),
  /** Why it was refused, a sentence. */
  reason: Type.Optional(Type.String()),
  event: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  /** The sender's own id of it: a GUID that all hooks share which are told of one event. */
  deliveryId: Type.Optional(Type.String()),
  hookId: Type.Optional(Type.String()),
  /** `id` of the delivery that it repeats; a repeated one starts nothing. */
  duplicateOf: Type.Optional(Type.String()),
  /** `id` of the delivery that was done again with it. */
  replayOf: Type.Optional(Type.String()),
  contentType: Type.Optional(Type.String()),
  bytes: Type.Integer(),
  address: Type.Optional(Type.String()),
  /** Runs that it has started, or will. */
  runs: Type.Array(RunRefView),
  /** Each workflow that listens to the receiver, with what became of it and why. */
  decisions: Type.Array(DecisionView),
});
export type ReceivedDeliveryView = Static<typeof ReceivedDeliveryView>;

const deliveryAddress = { receiverId, id: Type.String({ pattern: '^[0-9]{1,15}$' }) };

export const webhookReceiverOperations = {
  'receivers.list': defineOperation({
    summary: 'Lists the receivers of webhooks, by name',
    method: 'GET',
    path: '/webhooks/receivers',
    input: Type.Object({}),
    output: Type.Object({ receivers: Type.Array(ReceiverView) }),
    errors: [],
    role: 'viewer',
  }),
  'receivers.create': defineOperation({
    summary: 'Makes an address that takes webhooks',
    method: 'POST',
    path: '/webhooks/receivers',
    status: 201,
    input: Type.Object({
      name: Name,
      /** Any of them counts; the first one is the newest. */
      secrets: Type.Array(Secret, { minItems: 1, maxItems: 10 }),
      scheme: Scheme,
      ...settings,
    }),
    output: ReceiverView,
    errors: ['already_exists'],
    role: 'manager',
  }),
  'receivers.get': defineOperation({
    summary: 'One receiver of webhooks',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'receivers.update': defineOperation({
    summary: 'Changes a receiver of webhooks; what is absent stays',
    method: 'PATCH',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId, name: Type.Optional(Name), ...settings }),
    output: ReceiverView,
    errors: ['not_found', 'already_exists'],
    role: 'manager',
  }),
  'receivers.delete': defineOperation({
    summary: 'Removes a receiver of webhooks with everything that came to it',
    method: 'DELETE',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'manager',
  }),
  'receivers.rotate': defineOperation({
    summary: 'Gives a receiver a new secret, beside which the old ones count for a while',
    method: 'POST',
    path: '/webhooks/receivers/{receiverId}/secret',
    input: Type.Object({
      receiverId,
      secret: Secret,
      /** Seconds that the secrets so far still count; 86400 (a day) when absent, 0 ends them at once. */
      overlapSec: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 * day })),
    }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'manager',
  }),
  'receivers.deliveries': defineOperation({
    summary: 'Lists what came to a receiver, newest first, and what it has started',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}/deliveries',
    input: Type.Object({
      receiverId,
      verified: Type.Optional(Type.Boolean()),
      event: Type.Optional(Type.String({ maxLength: 200 })),
      deliveryId: Type.Optional(Type.String({ maxLength: 200 })),
      /** 50 when absent. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
    }),
    output: Type.Object({
      deliveries: Type.Array(ReceivedDeliveryView),
      nextCursor: Type.Optional(Type.String()),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'receivers.delivery': defineOperation({
    summary: 'One delivery with its headers and its body as they came',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}/deliveries/{id}',
    input: Type.Object(deliveryAddress),
    output: Type.Object({
      ...ReceivedDeliveryView.properties,
      /** Credentials in them are replaced by `********`. */
      headers: Type.Record(Type.String(), Type.String()),
      /** As text; absent for a repeated delivery. */
      body: Type.Optional(Type.String()),
      /** Only the beginning of the body was kept, or is told here. */
      isCut: Type.Boolean(),
    }),
    errors: ['not_found'],
    role: 'operator',
  }),
  'receivers.replay': defineOperation({
    summary: 'Does a kept delivery again, as if it had just come: the workflows as they are now decide',
    method: 'POST',
    path: '/webhooks/receivers/{receiverId}/deliveries/{id}/replay',
    status: 201,
    input: Type.Object(deliveryAddress),
    output: ReceivedDeliveryView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
  }),
};
