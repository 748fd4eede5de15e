import { fieldError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { findNearest } from '../../base/text.ts';
import { channelSecretFields, type ChannelSecretField } from '../../model/notification.ts';
import type { ChannelKind, ChannelSettings } from '../../store/types/notifications.ts';
import { checkHost } from '../address-check.ts';
import {
  listReferences,
  ntfyServer,
  telegramServer,
  templateFields,
  type ChannelSecrets,
} from './channel-request.ts';

/** Fields of a channel, public and secret. */
export interface ChannelFields extends ChannelSettings, ChannelSecrets {}

export type ChannelField = Exclude<keyof ChannelFields, 'kind' | 'secrets'>;

/** Fields of each kind: required, and optional. */
const fieldsByKind: Readonly<
  Record<
    ChannelKind,
    { readonly required: readonly ChannelField[]; readonly optional: readonly ChannelField[] }
  >
> = {
  mail: { required: ['to'], optional: ['from'] },
  slack: { required: ['url'], optional: [] },
  teams: { required: ['url'], optional: [] },
  discord: { required: ['url'], optional: [] },
  telegram: { required: ['token', 'chatId'], optional: ['server'] },
  ntfy: { required: ['topic'], optional: ['server', 'token'] },
  gotify: { required: ['server', 'token'], optional: [] },
  url: { required: ['url'], optional: ['template', 'authorization'] },
  desktop: { required: [], optional: [] },
};

/**
 * Checks the fields of a channel, and separates its settings from its secrets.
 * @throws `bad_request` that names the field
 */
export function readChannelFields(
  fields: ChannelFields,
  allowPrivate: boolean,
): { readonly channel: ChannelSettings; readonly secrets: ChannelSecrets } {
  const { kind } = fields;
  const { required, optional } = fieldsByKind[kind];
  const present = (Object.keys(fields) as (keyof ChannelFields)[]).filter(
    (field): field is ChannelField => field !== 'kind' && field !== 'secrets' && !isBlank(fields[field]),
  );
  const named = channelSecretFields.filter((field) => !isBlank(fields.secrets?.[field]));
  const twice = named.find((field) => present.includes(field));
  if (twice !== undefined) throw fieldError(`secrets.${twice}`, `cannot be combined with "${twice}"`);
  const fieldNames = [...present, ...named];
  const unknown = fieldNames.find((field) => !required.includes(field) && !optional.includes(field));
  if (unknown !== undefined) {
    const known = [...required, ...optional].map((field) => `"${field}"`).join(', ');
    throw fieldError(
      unknown,
      `does not apply to ${kind} channels, which have ${known === '' ? 'no fields' : known}`,
    );
  }
  const missing = required.find((field) => !fieldNames.includes(field));
  if (missing !== undefined) throw fieldError(missing, `is required for ${kind} channels`);
  if (fields.url !== undefined && present.includes('url')) checkUrl('url', fields.url, allowPrivate);
  if (fields.server !== undefined && present.includes('server'))
    checkUrl('server', fields.server, allowPrivate);
  if (fields.template !== undefined && present.includes('template')) checkTemplate(fields.template);
  for (const address of fields.to ?? []) checkMail('to', address);
  if (fields.from !== undefined && present.includes('from')) checkMail('from', fields.from);
  const pick = (names: readonly ChannelField[]) =>
    Object.fromEntries(
      present.filter((field) => names.includes(field)).map((field) => [field, clean(fields[field])]),
    );
  const isSecret = (field: ChannelField): boolean =>
    (channelSecretFields as readonly string[]).includes(field);
  const names = Object.fromEntries(named.map((field) => [field, fields.secrets?.[field]]));
  return {
    channel: {
      kind,
      ...pick(present.filter((field) => !isSecret(field))),
      ...(named.length > 0 && { secrets: names }),
    },
    secrets: pick(present.filter(isSecret)),
  };
}

/** A change of the secret fields of a channel: a value replaces a name, and the reverse. */
export function mergeSecrets(
  before: { readonly values: ChannelSecrets; readonly names: ChannelSettings['secrets'] },
  { secrets: names = {}, ...change }: Partial<ChannelFields>,
): Pick<ChannelFields, ChannelSecretField | 'secrets'> {
  const fields = channelSecretFields.map((field) => {
    if (!isBlank(names[field])) return [field, change[field], names[field]] as const;
    if (!isBlank(change[field])) return [field, change[field], undefined] as const;
    return [
      field,
      change[field] === undefined ? before.values[field] : undefined,
      names[field] === undefined ? before.names?.[field] : undefined,
    ] as const;
  });
  return {
    ...Object.fromEntries(fields.map(([field, value]) => [field, value])),
    secrets: Object.fromEntries(fields.map(([field, , name]) => [field, name])),
  };
}

const isBlank = (value: ChannelFields[ChannelField]): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : value.length === 0);

/** Servers are stored without a final slash. */
const clean = (value: ChannelFields[ChannelField]) =>
  typeof value === 'string' ? value.trim().replace(/^(https?:\/\/[^/]+)\/+$/, '$1') : value;

/**
 * Checks the URL of a channel.
 * @throws `bad_request` that starts with the field, and never contains the URL
 */
export function checkUrl(field: string, text: string, allowPrivate: boolean): void {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  // The value may be a token that was pasted into the wrong field, so the message does not repeat it.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw fieldError(field, 'must be an http or https URL, such as https://example.com/hook');
  if (url.username !== '' || url.password !== '') throw fieldError(field, 'must not contain credentials');
  if (allowPrivate) return;
  const rejected = checkHost(url.hostname);
  if (rejected !== undefined || /(^|\.)localhost$/i.test(url.hostname))
    throw fieldError(
      field,
      `${url.hostname} is a loopback or private network address. Allow private addresses for this channel if intended.`,
    );
}

/** An address, or a name with an address in angle brackets. */
const mailbox = /^(?:[^\s@<>,]+@[^\s@<>,]+|[^<>,]*<[^\s@<>,]+@[^\s@<>,]+>)$/;

function checkMail(field: 'to' | 'from', text: string): void {
  if (!mailbox.test(text.trim()))
    throw fieldError(field, `"${text.slice(0, 80)}" is not an email address, such as ops@example.com`);
}

function checkTemplate(template: string): void {
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(template) as JsonValue;
  } catch (error) {
    throw fieldError('template', `is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null)
    throw fieldError('template', 'must be a JSON object or list');
  const unknown = listReferences(template).find(
    (name) => !(templateFields as readonly string[]).includes(name),
  );
  if (unknown === undefined) return;
  const nearest = findNearest(unknown, [...templateFields]);
  throw fieldError(
    'template',
    `unknown field "\${${unknown}}". ${nearest === undefined ? `Fields: ${templateFields.join(', ')}.` : `Did you mean "\${${nearest}}"?`}`,
  );
}

/** Returns the address of a channel for lists, without secrets. */
export function describeAddress(
  { kind, to, server, chatId, secrets }: ChannelSettings,
  { url }: ChannelSecrets,
): string {
  switch (kind) {
    case 'mail':
      return (to ?? []).join(', ');
    case 'telegram':
      return `${server ?? telegramServer}, chat ${chatId}`;
    case 'ntfy':
      return `${server ?? ntfyServer}/…`;
    case 'gotify':
      return `${server}/message`;
    case 'desktop':
      return 'desktop app';
    case 'slack':
    case 'teams':
    case 'discord':
    case 'url':
      return url === undefined ? `secret ${secrets?.url}` : `${new URL(url).origin}/…`;
  }
}
