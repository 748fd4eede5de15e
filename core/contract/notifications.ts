import Type, { type Static } from 'typebox';
import { receiverNamePattern } from '../base/ids.ts';
import { notificationEventNames } from '../model/notification.ts';
import { defineOperation } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import { literals, Timestamp } from './run-views.ts';
import { messageStates } from './webhook-views.ts';

/** Services that receive notifications. */
export const channelKinds = [
  'mail',
  'slack',
  'teams',
  'discord',
  'telegram',
  'ntfy',
  'gotify',
  'url',
  'desktop',
] as const;

const Kind = literals(channelKinds, {
  description:
    'Service: mail; slack, teams, discord: incoming webhook URL; telegram: bot token and chat; ntfy: topic; gotify: server and token; url: any URL with a JSON template; desktop: the desktop app',
});
const Name = Type.String({
  pattern: receiverNamePattern,
  description: 'Name: at most 64 characters, A-Za-z0-9_.-',
});
const channelId = Type.Integer({ minimum: 1, description: 'Channel ID' });
const ruleId = Type.Integer({ minimum: 1, description: 'Rule ID' });
const messageId = Type.Integer({ minimum: 1, description: 'Notification ID' });
const secret = (description: string) =>
  Type.Optional(Type.String({ maxLength: 2000, description: `${description}. Never returned.` }));

/** Fields of a channel by kind. */
const publicFields = {
  to: Type.Optional(
    Type.Array(Type.String({ minLength: 3, maxLength: 320 }), {
      maxItems: 50,
      description: 'Email recipients',
    }),
  ),
  from: Type.Optional(
    Type.String({ maxLength: 320, description: 'Email sender. Default: the sender of emails about runs.' }),
  ),
  server: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Server URL of Gotify, of your own ntfy, or of your own Telegram Bot API',
    }),
  ),
  chatId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Telegram chat: a number, or @name of a channel' }),
  ),
  template: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'JSON body with `${title}`, `${text}`, `${event}`, `${workflow}`, `${runId}`, `${at}`, `${url}`, `${rule}` or `${failures}` in strings. Default: all fields.',
    }),
  ),
};
const secretFields = {
  url: secret('Webhook URL of Slack, Teams or Discord, or any URL'),
  token: secret('Token of Telegram, ntfy or Gotify'),
  topic: secret('Topic of ntfy'),
  authorization: secret('Value of the Authorization header for a URL'),
};

const secretName = (field: string) =>
  Type.Optional(Type.String({ maxLength: 128, description: `Stored secret with the \`${field}\`` }));
const secretNames = {
  secrets: Type.Optional(
    Type.Object(
      {
        url: secretName('url'),
        token: secretName('token'),
        topic: secretName('topic'),
        authorization: secretName('authorization'),
      },
      {
        additionalProperties: false,
        description: 'Names of stored secrets, whose values are read when a notification is sent',
      },
    ),
  ),
};
const connection = {
  allowPrivate: Type.Optional(
    Type.Boolean({ description: 'Allow loopback and private network addresses. Default: false.' }),
  ),
  verifyTls: Type.Optional(
    Type.Boolean({ description: 'Whether to verify TLS certificates. Default: true.' }),
  ),
};

/** A notification channel without its secrets. */
export const ChannelView = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  kind: Kind,
  address: Type.String({ description: 'Where notifications go, without secrets' }),
  ...publicFields,
  ...secretNames,
  allowPrivate: Type.Boolean({ description: 'Whether loopback and private network addresses are allowed' }),
  verifyTls: Type.Boolean(),
  active: Type.Boolean({ description: 'Whether notifications are sent' }),
  rules: Type.Array(Type.String(), { description: 'Names of the rules that use the channel' }),
  failingSince: Type.Optional(Timestamp),
  disabledReason: Type.Optional(
    Type.String({ description: 'Reason that the channel was turned off automatically' }),
  ),
  lastStatus: Type.Optional(Type.String({ description: 'Result of the last delivery: `OK`, or an error' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ChannelView = Static<typeof ChannelView>;

/** As many as the jobs of a crontab, whose `MAILTO` becomes one rule. */
const maxNames = 2000;

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: maxNames, description }),
  );

/** Which workflows a rule applies to. */
const Workflows = Type.Object(
  {
    names: names('Workflow names; `*` matches any characters'),
    tags: names('Tags'),
    groups: names('Groups'),
    folders: names('Folders, including their subfolders'),
  },
  {
    additionalProperties: false,
    description: 'Workflows that match any of the fields. Without fields: all workflows.',
  },
);

const EventName = literals(notificationEventNames, {
  description:
    'failed; recovered: succeeded after a failure; late: not finished in time; long: longer than expected; waiting: for approval; missing: did not start',
});

const ruleFields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Name' }),
  enabled: Type.Boolean({ description: 'Whether the rule is applied' }),
  workflows: Workflows,
  events: Type.Array(EventName, { minItems: 1, maxItems: 6, description: 'Events to notify about' }),
  channels: Type.Array(Name, { minItems: 1, maxItems: 20, description: 'Names of the channels' }),
  after: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Failed runs in a row before the first notification',
  }),
  once: Type.Boolean({ description: 'Whether only the first of several failures in a row is reported' }),
  quiet: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Quiet hours, such as `22:00-07:00 Europe/Berlin`. Notifications are sent at their end.',
    }),
  ),
  digestSec: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: 'Seconds to collect notifications and send them as one. 0: off.',
    }),
  ),
};

/** A notification rule. */
export const RuleView = Type.Object({
  id: Type.Integer(),
  ...ruleFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type RuleView = Static<typeof RuleView>;

/** Settings of a rule that have defaults. */
const optionalRuleFields = {
  enabled: Type.Optional(ruleFields.enabled),
  workflows: Type.Optional(Workflows),
  after: Type.Optional(ruleFields.after),
  once: Type.Optional(ruleFields.once),
  quiet: ruleFields.quiet,
  digestSec: ruleFields.digestSec,
};

/** The response of a service. */
const outcomeFields = {
  status: Type.String({ description: '`OK`, or an error description' }),
  statusCode: Type.Optional(Type.Integer({ description: 'HTTP status or SMTP reply code' })),
  durationMs: Type.Integer({ description: 'Duration in milliseconds' }),
  body: Type.Optional(Type.String({ description: 'First 20 kB of the response' })),
};

/** A notification for a channel. */
export const NotificationView = Type.Object({
  id: Type.Integer(),
  channelId: Type.Integer({ description: 'Channel ID' }),
  channel: Type.String({ description: 'Channel name' }),
  state: literals(messageStates, { description: '`dead`: all attempts failed' }),
  event: Type.String({ description: 'Event name, or `digest`' }),
  title: Type.String({ description: 'Title' }),
  text: Type.String({ description: 'Text' }),
  workflow: Type.String({ description: 'Workflow name' }),
  runId: Type.Optional(Type.String({ description: 'Run ID' })),
  rule: Type.String({ description: 'Name of the rule' }),
  createdAt: Timestamp,
  attempts: Type.Integer({ description: 'Number of attempts' }),
  redelivery: Type.Boolean({ description: 'Whether it was sent again' }),
  dueAt: Type.Optional(Type.With(Timestamp, { description: 'Time of the next attempt' })),
  reason: Type.Optional(Type.String({ description: 'Why it was not delivered' })),
  lastAttempt: Type.Optional(
    Type.Object({ at: Timestamp, ...outcomeFields }, { description: 'Last attempt' }),
  ),
});
export type NotificationView = Static<typeof NotificationView>;

export const notificationOperations = {
  'channels.list': defineOperation({
    summary: 'List notification channels, sorted by name',
    method: 'GET',
    path: '/notifications/channels',
    input: Type.Object({}),
    output: Type.Object({ channels: Type.Array(ChannelView, { description: 'Channels, sorted by name' }) }),
    errors: [],
    role: 'operator',
    label: 'see the notification channels',
  }),
  'channels.create': defineOperation({
    summary: 'Create a notification channel',
    method: 'POST',
    path: '/notifications/channels',
    status: 201,
    input: Type.Object({
      name: Name,
      kind: Kind,
      ...publicFields,
      ...secretFields,
      ...secretNames,
      ...connection,
    }),
    output: ChannelView,
    errors: ['already_exists'],
    role: 'manager',
    label: 'create a notification channel',
    audit: 'notification',
  }),
  'channels.update': defineOperation({
    summary: 'Update a notification channel (omitted fields are not changed, empty fields are removed)',
    method: 'PATCH',
    path: '/notifications/channels/{channelId}',
    input: Type.Object({
      channelId,
      name: Type.Optional(Name),
      active: Type.Optional(Type.Boolean({ description: 'Whether notifications are sent' })),
      ...publicFields,
      ...secretFields,
      ...secretNames,
      ...connection,
    }),
    output: ChannelView,
    errors: ['not_found', 'already_exists'],
    role: 'manager',
    label: 'change a notification channel',
    audit: 'notification',
  }),
  'channels.delete': defineOperation({
    summary: 'Delete a notification channel and its notifications',
    method: 'DELETE',
    path: '/notifications/channels/{channelId}',
    input: Type.Object({ channelId }),
    output: ChannelView,
    errors: ['not_found', 'conflict'],
    role: 'manager',
    label: 'delete a notification channel',
    audit: 'notification',
  }),
  'channels.test': defineOperation({
    summary: 'Send a test notification and return the response of the service',
    method: 'POST',
    path: '/notifications/channels/{channelId}/test',
    input: Type.Object({ channelId }),
    output: Type.Object({
      delivered: Type.Boolean({ description: 'Whether the service accepted it' }),
      ...outcomeFields,
    }),
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'send a test notification',
    audit: 'notification',
  }),
  'rules.list': defineOperation({
    summary: 'List notification rules, sorted by name',
    method: 'GET',
    path: '/notifications/rules',
    input: Type.Object({}),
    output: Type.Object({ rules: Type.Array(RuleView, { description: 'Rules, sorted by name' }) }),
    errors: [],
    role: 'operator',
    label: 'see the notification rules',
  }),
  'rules.create': defineOperation({
    summary: 'Create a notification rule',
    method: 'POST',
    path: '/notifications/rules',
    status: 201,
    input: Type.Object({
      name: ruleFields.name,
      events: Type.Optional(ruleFields.events),
      channels: ruleFields.channels,
      ...optionalRuleFields,
    }),
    output: RuleView,
    errors: ['already_exists'],
    role: 'manager',
    label: 'create a notification rule',
    audit: 'notification',
  }),
  'rules.update': defineOperation({
    summary: 'Update a notification rule (omitted fields are not changed)',
    method: 'PATCH',
    path: '/notifications/rules/{ruleId}',
    input: Type.Object({
      ruleId,
      name: Type.Optional(ruleFields.name),
      events: Type.Optional(ruleFields.events),
      channels: Type.Optional(ruleFields.channels),
      ...optionalRuleFields,
    }),
    output: RuleView,
    errors: ['not_found', 'already_exists'],
    role: 'manager',
    label: 'change a notification rule',
    audit: 'notification',
  }),
  'rules.delete': defineOperation({
    summary: 'Delete a notification rule',
    method: 'DELETE',
    path: '/notifications/rules/{ruleId}',
    input: Type.Object({ ruleId }),
    output: RuleView,
    errors: ['not_found'],
    role: 'manager',
    label: 'delete a notification rule',
    audit: 'notification',
  }),
  'notifications.list': defineOperation({
    summary: 'List notifications with their last attempt, newest first',
    method: 'GET',
    path: '/notifications/messages',
    input: Type.Object({
      channelId: Type.Optional(channelId),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      notifications: Type.Array(NotificationView, { description: 'Notifications, newest first' }),
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    role: 'operator',
    label: 'see the notifications',
  }),
  'notifications.resend': defineOperation({
    summary: 'Send a notification again',
    method: 'POST',
    path: '/notifications/messages/{messageId}/attempts',
    input: Type.Object({ messageId }),
    output: Type.Object({ messageId: Type.Integer({ description: 'ID of the new notification' }) }),
    errors: ['not_found', 'conflict'],
    role: 'operator',
    label: 'send a notification again',
    audit: 'notification',
  }),
  'notifications.coverage': defineOperation({
    summary: 'Show who is notified of the failures of a workflow',
    method: 'GET',
    path: '/notifications/workflows/{name}',
    input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200, description: 'Workflow name' }) }),
    output: Type.Object({
      rules: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the rule, or `notify` in the workflow file' }),
          channels: Type.Array(Type.String(), { description: 'Names of the channels that exist' }),
        }),
        { description: 'Rules that report failures' },
      ),
      mail: Type.Boolean({
        description: 'Whether `mailOn` or `mailOnError` in the workflow file sends emails',
      }),
    }),
    errors: [],
    role: 'viewer',
  }),
};
