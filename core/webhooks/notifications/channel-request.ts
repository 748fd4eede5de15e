import type { JsonObject, JsonValue } from '../../base/json.ts';
import { escapeMarkup, truncate } from '../../base/text.ts';
import type { ChannelSettings } from '../../store/types/notifications.ts';
import type { NotificationContent } from './message.ts';

/** Secrets of a channel. */
export interface ChannelSecrets {
  /** Address of `slack`, `teams`, `discord` and `url`. */
  readonly url?: string | undefined;
  /** Token of `telegram`, `ntfy` and `gotify`. */
  readonly token?: string | undefined;
  /** Topic of `ntfy`. */
  readonly topic?: string | undefined;
  /** Value of the `Authorization` header of `url`. */
  readonly authorization?: string | undefined;
}

/** An HTTP request to a service. */
export interface ChannelRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Build = (
  content: NotificationContent,
  secrets: ChannelSecrets,
  channel: ChannelSettings,
) => { readonly url: string; readonly headers?: Record<string, string>; readonly body: object | JsonValue };

/** Builds the request that a service documents. `mail` and `desktop` have none. */
export function buildChannelRequest(
  channel: ChannelSettings,
  secrets: ChannelSecrets,
  content: NotificationContent,
): ChannelRequest {
  const { url, headers = {}, body } = builders[channel.kind](content, secrets, channel);
  return {
    url,
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Stepwright', ...headers },
    body: JSON.stringify(body),
  };
}

/** Whether something is wrong, which decides colors and priorities. */
const isAlert = ({ event }: NotificationContent): boolean =>
  !['recovered', 'test', 'waiting'].includes(event);

/** Discord's color of the embed: red or green. */
const colorOf = (content: NotificationContent): number => (isAlert(content) ? 0xd1_24_2f : 0x1a_7f_37);

const listDetails = ({
  workflow,
  runId,
  rule,
}: NotificationContent): readonly (readonly [string, string])[] => [
  ['Workflow', workflow],
  ...(runId === undefined ? [] : [['Run', runId] as const]),
  ['Rule', rule],
];

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const buildSlack: Build = (content, { url = '' }) => {
  const { title, text, url: page } = content;
  const details = listDetails(content).map(([name, value]) => `*${name}:* ${escapeSlack(value)}`);
  const link = page === undefined ? [] : [`<${page}|Open run>`];
  return {
    url,
    body: {
      text: escapeSlack(title),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: truncate(title, 150) } },
        ...(text === ''
          ? []
          : [{ type: 'section', text: { type: 'mrkdwn', text: escapeSlack(truncate(text, 2900)) } }]),
        { type: 'context', elements: [{ type: 'mrkdwn', text: [...details, ...link].join('  ') }] },
      ],
    },
  };
};

const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** https://learn.microsoft.com/power-automate/teams: "When a Teams webhook request is received". */
const buildTeams: Build = (content, { url = '' }) => {
  const { title, text, url: page } = content;
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {
        type: 'TextBlock',
        text: title,
        size: 'Large',
        weight: 'Bolder',
        color: isAlert(content) ? 'Attention' : 'Good',
        wrap: true,
      },
      ...(text === '' ? [] : [{ type: 'TextBlock', text: text.replaceAll('\n', '\n\n'), wrap: true }]),
      { type: 'FactSet', facts: listDetails(content).map(([name, value]) => ({ title: name, value })) },
    ],
    ...(page !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open run', url: page }] }),
  };
  return {
    url,
    body: {
      type: 'message',
      attachments: [
        { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
      ],
    },
  };
};

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const buildDiscord: Build = (content, { url = '' }) => {
  const { title, text, at, url: page } = content;
  return {
    url,
    body: {
      username: 'Stepwright',
      embeds: [
        {
          title: truncate(title, 250),
          ...(text !== '' && { description: truncate(text, 4000) }),
          ...(page !== undefined && { url: page }),
          color: colorOf(content),
          timestamp: at,
          fields: listDetails(content).map(([name, value]) => ({
            name,
            value: truncate(value, 1000),
            inline: true,
          })),
        },
      ],
      // No part of a message mentions anybody.
      allowed_mentions: { parse: [] },
    },
  };
};

/** https://core.telegram.org/bots/api#sendmessage */
const buildTelegram: Build = (content, { token = '' }, { server = telegramServer, chatId = '' }) => {
  const { title, text, url: page } = content;
  const lines = [
    `<b>${escapeMarkup(title)}</b>`,
    ...(text === '' ? [] : [escapeMarkup(text)]),
    ...(page === undefined ? [] : [`<a href="${escapeMarkup(page)}">Open run</a>`]),
  ];
  return {
    url: `${server}/bot${token}/sendMessage`,
    body: {
      chat_id: chatId,
      text: lines.join('\n'),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    },
  };
};

const toAuthorization = (value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { Authorization: value };

/** https://docs.ntfy.sh/publish/#publish-as-json */
const buildNtfy: Build = (content, { token, topic = '' }, { server = ntfyServer }) => {
  const { title, text, url: page } = content;
  return {
    url: `${server}/`,
    headers: toAuthorization(token && `Bearer ${token}`),
    body: {
      topic,
      title,
      message: text === '' ? title : text,
      priority: isAlert(content) ? 4 : 3,
      tags: [isAlert(content) ? 'rotating_light' : 'white_check_mark'],
      ...(page !== undefined && { click: page }),
    },
  };
};

/** https://gotify.net/docs/pushmsg */
const buildGotify: Build = (content, { token = '' }, { server = '' }) => {
  const { title, text, url: page } = content;
  return {
    url: `${server}/message`,
    headers: { 'X-Gotify-Key': token },
    body: {
      title,
      message: text === '' ? title : text,
      priority: isAlert(content) ? 8 : 4,
      ...(page !== undefined && { extras: { 'client::notification': { click: { url: page } } } }),
    },
  };
};

const buildUrl: Build = (content, { url = '', authorization }, { template }) => ({
  url,
  headers: toAuthorization(authorization),
  body:
    template === undefined
      ? (JSON.parse(JSON.stringify(content)) as JsonObject)
      : fillTemplate(JSON.parse(template) as JsonValue, content),
});

const noRequest: Build = ({ title, text }) => ({ url: '', body: { title, text } });

export const telegramServer = 'https://api.telegram.org';
export const ntfyServer = 'https://ntfy.sh';

const builders: Readonly<Record<ChannelSettings['kind'], Build>> = {
  slack: buildSlack,
  teams: buildTeams,
  discord: buildDiscord,
  telegram: buildTelegram,
  ntfy: buildNtfy,
  gotify: buildGotify,
  url: buildUrl,
  mail: noRequest,
  desktop: noRequest,
};

/** Fields that a template can refer to, as `${title}`. */
export const templateFields = [
  'title',
  'text',
  'event',
  'workflow',
  'runId',
  'at',
  'url',
  'rule',
  'failures',
] as const;

const references = /\$\{(\w+)\}/g;

/** Returns the names in `${…}` of a template. */
export const listReferences = (template: string): string[] =>
  [...template.matchAll(references)].map(([, name]) => name!);

/** Replaces references in all strings. A string that is only a reference keeps the type of the value. */
function fillTemplate(value: JsonValue, content: NotificationContent): JsonValue {
  if (typeof value === 'string') {
    const only = /^\$\{(\w+)\}$/.exec(value)?.[1];
    if (only !== undefined) return readField(content, only) ?? null;
    return value.replaceAll(references, (_, name: string) => String(readField(content, name) ?? ''));
  }
  if (Array.isArray(value)) return value.map((item) => fillTemplate(item, content));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplate(item, content)]));
}

const readField = (content: NotificationContent, name: string): string | number | undefined =>
  (templateFields as readonly string[]).includes(name)
    ? content[name as (typeof templateFields)[number]]
    : undefined;
