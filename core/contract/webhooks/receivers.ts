import Type, { type Static } from 'typebox';
import { receiverNamePattern, rowPattern } from '../../base/ids.ts';
import { defineOperation } from '../operation.ts';
import { literals, RunRefView, Timestamp } from '../runs/run-views.ts';

/** How requests prove where they come from. */
const schemes = ['platform', 'standard', 'bearer'] as const;
const day = 86_400;

const Scheme = literals(schemes, {
  description:
    'How requests prove where they come from: X-Hub-Signature-256, Standard Webhooks, or a bearer token',
});
const Name = Type.String({
  pattern: receiverNamePattern,
  description: 'Name: at most 64 of A-Za-z0-9_.-',
});
const Secret = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'A secret that senders sign with, or the bearer token; never shown again',
});
const receiverId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of the receiver' });

/** What may be decided about a receiver, and is decided for it when nobody does. */
const settings = {
  allowSha1: Type.Optional(
    Type.Boolean({
      description: 'A SHA-1 signature is enough where there is none with SHA-256; false when absent',
    }),
  ),
  maxBodyBytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 25 * 1_048_576,
      description: 'Longest body; 26214400 (25 MiB) when absent',
    }),
  ),
  dedupeSec: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365 * day,
      description:
        'Seconds within which a delivery that comes again is taken for the same; 259200 (three days) when absent, 0 for never',
    }),
  ),
  keepDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days that deliveries are kept; 30 when absent. Never less than `dedupeSec`',
    }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Whether requests are taken; true when absent' })),
};

/** A receiver, without its secrets, which nobody can show again. */
export const ReceiverView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String({
    description: 'Where senders reach it: an address of this server, or below `server.publicUrl`',
  }),
  path: Type.String({ description: 'The path of that' }),
  scheme: Scheme,
  secrets: Type.Array(Type.Object({ until: Type.Optional(Timestamp) }), {
    description: 'Each secret that counts; those of before a rotation with their end',
  }),
  allowSha1: Type.Boolean({ description: 'A SHA-1 signature is enough where there is none with SHA-256' }),
  maxBodyBytes: Type.Integer({ description: 'Longest body' }),
  dedupeSec: Type.Integer({
    description: 'Seconds within which a delivery that comes again is taken for the same',
  }),
  keepDays: Type.Integer({ description: 'Days that deliveries are kept' }),
  active: Type.Boolean({ description: 'Whether requests are taken' }),
  workflows: Type.Array(Type.String(), { description: 'Workflows that listen to it, by file name' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ReceiverView = Static<typeof ReceiverView>;

/** What became of one trigger of a workflow. */
const DecisionView = Type.Object({
  workflow: Type.String({ description: 'The workflow file, without its ending' }),
  trigger: Type.Integer({ description: 'Which trigger of it, from 0' }),
  outcome: literals(['started', 'pending', 'replaced', 'refused', 'passed_over'], {
    description:
      'started; pending: it will be; replaced: by a later delivery; refused: it could not be started; passed_over: it was not meant',
  }),
  reason: Type.Optional(Type.String({ description: 'Why not, a sentence' })),
  run: Type.Optional(Type.With(RunRefView, { description: 'The run that it starts' })),
  dueAt: Type.Optional(Type.With(Timestamp, { description: 'Of a `pending` one: not before this time' })),
});

/** A request that came to a receiver. */
export const ReceivedDeliveryView = Type.Object({
  id: Type.String(),
  receivedAt: Type.With(Timestamp, { description: 'When it came' }),
  status: literals(['accepted', 'duplicate', 'refused'], {
    description: 'accepted; duplicate: it came before; refused: not proved, or not readable',
  }),
  verified: Type.Boolean({ description: 'Whether it was proved where it comes from' }),
  proof: Type.Optional(Type.String({ description: 'How it was proved: sha256, sha1, standard or bearer' })),
  reason: Type.Optional(Type.String({ description: 'Why it was refused, a sentence' })),
  event: Type.Optional(Type.String({ description: 'Name of the event, as its sender calls it' })),
  action: Type.Optional(Type.String({ description: '`action` of the payload' })),
  deliveryId: Type.Optional(
    Type.String({
      description: "The sender's own id of it: a GUID that all webhooks share which are told of one event",
    }),
  ),
  hookId: Type.Optional(Type.String({ description: 'Id of the webhook at the sender' })),
  duplicateOf: Type.Optional(
    Type.String({ description: '`id` of the delivery that it repeats; a repeated one starts nothing' }),
  ),
  replayOf: Type.Optional(Type.String({ description: '`id` of the delivery that was replayed with it' })),
  contentType: Type.Optional(Type.String({ description: 'Content-Type of the body' })),
  bytes: Type.Integer({ description: 'Length of the body' }),
  address: Type.Optional(Type.String({ description: 'Address that it came from' })),
  runs: Type.Array(RunRefView, { description: 'Runs that it has started, or will' }),
  decisions: Type.Array(DecisionView, {
    description: 'Each workflow that listens to the receiver, with what became of it and why',
  }),
});
export type ReceivedDeliveryView = Static<typeof ReceivedDeliveryView>;

const deliveryAddress = {
  receiverId,
  id: Type.String({ pattern: rowPattern, description: 'Id of what came' }),
};

export const webhookReceiverOperations = {
  'receivers.list': defineOperation({
    summary: 'Lists the receivers of webhooks, by name',
    method: 'GET',
    path: '/webhooks/receivers',
    input: Type.Object({}),
    output: Type.Object({ receivers: Type.Array(ReceiverView, { description: 'Receivers, by name' }) }),
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
      secrets: Type.Array(Secret, {
        minItems: 1,
        maxItems: 10,
        description: 'Any of them counts; the first one is the newest',
      }),
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
      overlapSec: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 30 * day,
          description:
            'Seconds that the secrets so far still count; 86400 (a day) when absent, 0 ends them at once',
        }),
      ),
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
      verified: Type.Optional(
        Type.Boolean({ description: 'Only those that were proved, or only those that were not' }),
      ),
      event: Type.Optional(Type.String({ maxLength: 200, description: 'Only of this event' })),
      deliveryId: Type.Optional(
        Type.String({ maxLength: 200, description: 'Only those with this id of the sender' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '50 when absent' })),
      cursor: Type.Optional(
        Type.String({ pattern: rowPattern, description: '`nextCursor` of the page before' }),
      ),
    }),
    output: Type.Object({
      deliveries: Type.Array(ReceivedDeliveryView, { description: 'What came, newest first' }),
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
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Headers of the request; credentials in them are replaced by `********`',
      }),
      body: Type.Optional(Type.String({ description: 'As text; absent for a repeated delivery' })),
      isCut: Type.Boolean({ description: 'Only the beginning of the body was kept, or is told here' }),
    }),
    errors: ['not_found'],
    role: 'operator',
  }),
  'receivers.replay': defineOperation({
    summary: 'Replays a kept delivery, as if it had just come: the workflows as they are now decide',
    method: 'POST',
    path: '/webhooks/receivers/{receiverId}/deliveries/{id}/replay',
    status: 201,
    input: Type.Object(deliveryAddress),
    output: ReceivedDeliveryView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
  }),
};
