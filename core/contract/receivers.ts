import Type, { type Static } from 'typebox';
import { receiverNamePattern, rowPattern } from '../base/ids.ts';
import { receiverMethods, receiverSchemes } from '../model/webhook.ts';
import { defineOperation } from './operation.ts';
import { literals, RunRefView, Timestamp } from './run-views.ts';

const day = 86_400;

/** How requests are authenticated. */
const Scheme = literals(receiverSchemes, {
  description:
    'Verification scheme. platform: X-Hub-Signature-256; standard: Standard Webhooks; bearer: token; slack, stripe: signing secret; gitlab: secret token; microsoft: clientState of Microsoft Graph; basic: the secret is user:password; header: the secret is a header, NAME: VALUE',
});
const Method = literals(receiverMethods);
const Name = Type.String({
  pattern: receiverNamePattern,
  description: 'Name: at most 64 characters, A-Za-z0-9_.-',
});
const Secret = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Signing secret, token or credentials. Never returned.',
});
const receiverId = Type.String({ minLength: 1, maxLength: 64, description: 'Receiver ID' });

/** Settings of a receiver, all with defaults. */
const settings = {
  methods: Type.Optional(
    Type.Array(Method, {
      minItems: 1,
      uniqueItems: true,
      description:
        'Allowed HTTP methods. Default: POST. The payload of a GET request is its query; only bearer, gitlab, basic and header allow GET, because the others sign the body.',
    }),
  ),
  allowSha1: Type.Optional(
    Type.Boolean({
      description: 'Whether to accept SHA-1 signatures if there is no SHA-256 signature. Default: false.',
    }),
  ),
  maxBodyBytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 25 * 1_048_576,
      description: 'Maximum body size in bytes. Default: 26214400 (25 MiB).',
    }),
  ),
  dedupeSec: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365 * day,
      description:
        'Seconds within which a repeated delivery is treated as a duplicate, or 0 for never. Default: 259200 (three days).',
    }),
  ),
  keepDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days to keep deliveries, at least as long as `dedupeSec`. Default: 30.',
    }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Whether requests are accepted. Default: true.' })),
};

/** A webhook receiver without its secrets, which cannot be shown again. */
export const ReceiverView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String({
    description: 'URL for senders: on this server, or below `server.publicUrl`',
  }),
  path: Type.String({ description: 'Path of the URL' }),
  isServed: Type.Boolean({ description: 'Whether a server of this home is running' }),
  scheme: Scheme,
  secrets: Type.Array(Type.Object({ until: Type.Optional(Timestamp) }), {
    description: 'Valid secrets. Old secrets have an expiration time.',
  }),
  methods: Type.Array(Method, { description: 'Allowed HTTP methods' }),
  allowSha1: Type.Boolean({
    description: 'Whether SHA-1 signatures are accepted if there is no SHA-256 signature',
  }),
  maxBodyBytes: Type.Integer({ description: 'Maximum body size in bytes' }),
  dedupeSec: Type.Integer({
    description: 'Seconds within which a repeated delivery is treated as a duplicate',
  }),
  keepDays: Type.Integer({ description: 'Days to keep deliveries' }),
  active: Type.Boolean({ description: 'Whether requests are accepted' }),
  workflows: Type.Array(Type.String(), {
    description: 'Workflows that subscribe to the receiver, by file name',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ReceiverView = Static<typeof ReceiverView>;

/** Outcome of one trigger of a workflow. */
const DecisionView = Type.Object({
  workflow: Type.String({ description: 'Workflow file, without extension' }),
  trigger: Type.Integer({ description: 'Index of the trigger, from 0' }),
  outcome: literals(['started', 'pending', 'replaced', 'refused', 'passed_over'], {
    description:
      'started; pending: will start; replaced: by a later delivery; refused: could not start; passed_over: did not match',
  }),
  reason: Type.Optional(Type.String({ description: 'Reason, as a sentence' })),
  run: Type.Optional(Type.With(RunRefView, { description: 'Run that was started' })),
  dueAt: Type.Optional(Type.With(Timestamp, { description: 'Earliest start of a `pending` run' })),
});

/** A request to a receiver. */
export const ReceivedDeliveryView = Type.Object({
  id: Type.String(),
  receivedAt: Type.With(Timestamp, { description: 'Time of receipt' }),
  method: Type.String({ description: 'HTTP method' }),
  status: literals(['accepted', 'duplicate', 'refused'], {
    description: 'accepted; duplicate: received before; refused: not verified or not readable',
  }),
  verified: Type.Boolean({ description: 'Whether the sender was verified' }),
  proof: Type.Optional(Type.String({ description: 'Verification method: sha256, sha1, or the scheme' })),
  reason: Type.Optional(Type.String({ description: 'Reason for the rejection, as a sentence' })),
  event: Type.Optional(Type.String({ description: 'Event name, as sent' })),
  action: Type.Optional(Type.String({ description: '`action` of the payload' })),
  deliveryId: Type.Optional(
    Type.String({
      description: 'Delivery ID of the sender: a GUID shared by all webhooks that receive the event',
    }),
  ),
  hookId: Type.Optional(Type.String({ description: 'Webhook ID of the sender' })),
  duplicateOf: Type.Optional(
    Type.String({ description: '`id` of the original delivery. Duplicates start no runs.' }),
  ),
  replayOf: Type.Optional(Type.String({ description: '`id` of the delivery that was replayed' })),
  contentType: Type.Optional(Type.String({ description: 'Content-Type of the body' })),
  bytes: Type.Integer({ description: 'Body size in bytes' }),
  address: Type.Optional(Type.String({ description: 'Remote address' })),
  runs: Type.Array(RunRefView, { description: 'Runs started by the delivery, including pending runs' }),
  decisions: Type.Array(DecisionView, {
    description: 'Subscribed workflows, with the result and reason for each',
  }),
});
export type ReceivedDeliveryView = Static<typeof ReceivedDeliveryView>;

const deliveryAddress = {
  receiverId,
  id: Type.String({ pattern: rowPattern, description: 'Delivery ID' }),
};

export const webhookReceiverOperations = {
  'receivers.list': defineOperation({
    summary: 'List webhook receivers, sorted by name',
    method: 'GET',
    path: '/webhooks/receivers',
    input: Type.Object({}),
    output: Type.Object({
      receivers: Type.Array(ReceiverView, { description: 'Receivers, sorted by name' }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'receivers.create': defineOperation({
    summary: 'Create a webhook receiver',
    method: 'POST',
    path: '/webhooks/receivers',
    status: 201,
    input: Type.Object({
      name: Name,
      secrets: Type.Array(Secret, {
        minItems: 1,
        maxItems: 10,
        description: 'Valid secrets, newest first',
      }),
      scheme: Scheme,
      ...settings,
    }),
    output: ReceiverView,
    errors: ['already_exists'],
    role: 'manager',
    label: 'create a webhook receiver',
    audit: 'receiver',
  }),
  'receivers.get': defineOperation({
    summary: 'Get a webhook receiver',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'receivers.update': defineOperation({
    summary: 'Update a webhook receiver (omitted fields are not changed)',
    method: 'PATCH',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId, name: Type.Optional(Name), ...settings }),
    output: ReceiverView,
    errors: ['not_found', 'already_exists'],
    role: 'manager',
    label: 'change a webhook receiver',
    audit: 'receiver',
  }),
  'receivers.delete': defineOperation({
    summary: 'Delete a webhook receiver and its deliveries',
    method: 'DELETE',
    path: '/webhooks/receivers/{receiverId}',
    input: Type.Object({ receiverId }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'manager',
    label: 'delete a webhook receiver',
    audit: 'receiver',
  }),
  'receivers.rotate': defineOperation({
    summary: 'Rotate the secret of a receiver (old secrets remain valid for a limited time)',
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
            'Seconds that the old secrets stay valid, or 0 to end them immediately. Default: 86400 (one day).',
        }),
      ),
    }),
    output: ReceiverView,
    errors: ['not_found'],
    role: 'manager',
    label: 'rotate the secret of a webhook receiver',
    audit: 'receiver',
  }),
  'receivers.sendSample': defineOperation({
    summary: 'Sign a sample payload and send it to the running server',
    method: 'POST',
    path: '/webhooks/receivers/{receiverId}/sample',
    input: Type.Object({
      receiverId,
      event: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Event name. Default: a typical event.' }),
      ),
      payload: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Payload. Default: a typical payload of the scheme and event.',
        }),
      ),
    }),
    output: Type.Object({
      url: Type.String({ description: 'URL that the sample was sent to' }),
      event: Type.Optional(Type.String({ description: 'Event name' })),
      status: Type.Integer({ description: 'HTTP status of the response' }),
      body: Type.String({ description: 'Response body' }),
      delivery: Type.Optional(ReceivedDeliveryView),
    }),
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'send a sample to a receiver',
    audit: 'receiver',
  }),
  'receivers.deliveries': defineOperation({
    summary: 'List the deliveries of a receiver and the runs they started, newest first',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}/deliveries',
    input: Type.Object({
      receiverId,
      verified: Type.Optional(Type.Boolean({ description: 'Filter by verified or unverified deliveries' })),
      event: Type.Optional(Type.String({ maxLength: 200, description: 'Filter by event' })),
      deliveryId: Type.Optional(
        Type.String({ maxLength: 200, description: 'Filter by delivery ID of the sender' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 50' })),
      cursor: Type.Optional(
        Type.String({ pattern: rowPattern, description: '`nextCursor` of the previous page' }),
      ),
    }),
    output: Type.Object({
      deliveries: Type.Array(ReceivedDeliveryView, { description: 'Deliveries, newest first' }),
      nextCursor: Type.Optional(Type.String()),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'receivers.delivery': defineOperation({
    summary: 'Get a delivery with its headers and body',
    method: 'GET',
    path: '/webhooks/receivers/{receiverId}/deliveries/{id}',
    input: Type.Object(deliveryAddress),
    output: Type.Object({
      ...ReceivedDeliveryView.properties,
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Request headers. Credentials are replaced with `********`.',
      }),
      body: Type.Optional(
        Type.String({ description: 'Body as a string; for GET, the query as JSON. Missing for duplicates.' }),
      ),
      isCut: Type.Boolean({ description: 'Whether the body is truncated' }),
    }),
    errors: ['not_found'],
    role: 'operator',
    label: 'see the body of a received webhook',
  }),
  'receivers.replay': defineOperation({
    summary: 'Replay a stored delivery with the current workflows',
    method: 'POST',
    path: '/webhooks/receivers/{receiverId}/deliveries/{id}/replay',
    status: 201,
    input: Type.Object(deliveryAddress),
    output: ReceivedDeliveryView,
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'replay a received webhook',
    audit: 'receiver',
  }),
};
