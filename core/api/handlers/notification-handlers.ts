import { toIso } from '../../base/clock.ts';
import type { ChannelView, NotificationView, RuleView } from '../../contract/notifications.ts';
import type { Channel, NotificationMessage, NotificationRule } from '../../store/types/notifications.ts';
import type { AttemptOutcome } from '../../webhooks/send-attempt.ts';
import type { NotificationContent } from '../../webhooks/notifications/message.ts';
import type { Notifications } from '../../webhooks/notifications/notifications.ts';
import { type HandlersFor, parseCursor } from './handlers.ts';

const defaultPageSize = 50;

type NotificationOperation =
  | `channels.${'list' | 'create' | 'update' | 'delete' | 'test'}`
  | `rules.${'list' | 'create' | 'update' | 'delete'}`
  | `notifications.${'list' | 'resend' | 'coverage'}`;

/** Operations on notification channels, rules and sent notifications. */
export const notificationHandlers: HandlersFor<NotificationOperation> = {
  'channels.list': async (_, { notifications }) => {
    const opened = await notifications();
    const channels = await opened.store.listChannels();
    return { channels: await Promise.all(channels.map((channel) => toChannelView(channel, opened))) };
  },
  'channels.create': async (input, { notifications }) => {
    const opened = await notifications();
    return toChannelView(await opened.createChannel(input), opened);
  },
  'channels.update': async ({ channelId, ...change }, { notifications }) => {
    const opened = await notifications();
    return toChannelView(await opened.updateChannel(channelId, change), opened);
  },
  'channels.delete': async ({ channelId }, { notifications }) => {
    const opened = await notifications();
    return toChannelView(await opened.deleteChannel(channelId), opened);
  },
  'channels.test': async ({ channelId }, { notifications }) => {
    const outcome = await (await notifications()).testChannel(channelId);
    return { delivered: outcome.delivered, ...toOutcome(outcome) };
  },
  'rules.list': async (_, { notifications }) => ({
    rules: (await (await notifications()).store.listRules()).map(toRuleView),
  }),
  'rules.create': async (
    { events = ['failed', 'recovered'], workflows = {}, enabled = true, after = 1, once = false, ...rule },
    { notifications },
  ) =>
    toRuleView(
      await (await notifications()).createRule({ ...rule, events, workflows, enabled, after, once }),
    ),
  'rules.update': async ({ ruleId, ...change }, { notifications }) =>
    toRuleView(await (await notifications()).updateRule(ruleId, change)),
  'rules.delete': async ({ ruleId }, { notifications }) =>
    toRuleView(await (await notifications()).deleteRule(ruleId)),
  'notifications.list': async ({ channelId, limit = defaultPageSize, cursor }, { notifications }) => {
    const opened = await notifications();
    const hookId = channelId === undefined ? undefined : (await opened.getChannel(channelId)).id;
    const messages = await opened.store.listMessages({
      hookId,
      beforeId: parseCursor(cursor),
      limit: limit + 1,
    });
    const page = messages.slice(0, limit);
    return {
      notifications: page.map(toNotificationView),
      ...(messages.length > limit && { nextCursor: String(page.at(-1)!.id) }),
    };
  },
  'notifications.resend': async ({ messageId }, { notifications }) => ({
    messageId: await (await notifications()).resend(messageId),
  }),
  'notifications.coverage': async ({ name }, { notifications }) => (await notifications()).findCoverage(name),
};

/** Returns a channel without its secrets. */
async function toChannelView(hook: Channel, opened: Notifications): Promise<ChannelView> {
  const { channel, options, failingSince, disabledReason, lastResponse } = hook;
  const { to, from, server, chatId, template, secrets } = channel;
  return {
    id: hook.id,
    name: hook.owner,
    kind: channel.kind,
    address: hook.url,
    ...(to !== undefined && { to: [...to] }),
    ...(from !== undefined && { from }),
    ...(server !== undefined && { server }),
    ...(chatId !== undefined && { chatId }),
    ...(template !== undefined && { template }),
    ...(secrets !== undefined && { secrets }),
    allowPrivate: options.allowPrivate === true,
    verifyTls: hook.verifyTls,
    active: hook.active,
    rules: await opened.rulesOf(hook),
    ...(failingSince !== undefined && { failingSince: toIso(failingSince) }),
    ...(disabledReason !== undefined && { disabledReason }),
    ...(lastResponse !== undefined && { lastStatus: lastResponse.message ?? lastResponse.status }),
    createdAt: toIso(hook.createdAt),
    updatedAt: toIso(hook.updatedAt),
  };
}

const toRuleView = ({
  createdAt,
  updatedAt,
  workflows,
  events,
  channels,
  ...rule
}: NotificationRule): RuleView => ({
  ...rule,
  workflows: toSelectionView(workflows),
  events: [...events],
  channels: [...channels],
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
});

const toSelectionView = (workflows: NotificationRule['workflows']): RuleView['workflows'] =>
  Object.fromEntries(
    Object.entries(workflows).flatMap(([field, names]) =>
      names === undefined || names.length === 0 ? [] : [[field, [...names]]],
    ),
  );

const toOutcome = ({
  status,
  statusCode,
  durationMs,
  response,
}: Pick<AttemptOutcome, 'status' | 'durationMs'> & {
  readonly statusCode?: number | undefined;
  readonly response?: { readonly body: string } | undefined;
}) => ({
  status,
  ...(statusCode !== undefined && { statusCode }),
  durationMs: Math.round(durationMs),
  ...(response !== undefined && { body: response.body }),
});

function toNotificationView(message: NotificationMessage): NotificationView {
  const { event, title, text, workflow, runId, rule } = JSON.parse(message.content) as NotificationContent;
  const { state, reason, lastAttempt } = message;
  return {
    id: message.id,
    channelId: message.hookId,
    channel: message.channel,
    state,
    event,
    title,
    text,
    workflow,
    ...(runId !== undefined && { runId }),
    rule,
    createdAt: toIso(message.createdAt),
    attempts: message.attempts,
    redelivery: message.redelivery,
    ...(state === 'waiting' && { dueAt: toIso(message.dueAt) }),
    ...(reason !== undefined && { reason }),
    ...(lastAttempt !== undefined && {
      lastAttempt: { at: toIso(lastAttempt.at), ...toOutcome(lastAttempt) },
    }),
  };
}
