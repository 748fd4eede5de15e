import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { ChannelSecretField } from '../../model/notification.ts';
import type { ChannelView } from '../../contract/notifications.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { formatDateTime, formatTable, oneLine } from '../format.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { askHidden, readLines } from '../prompts.ts';

/** Options of a channel; absent ones stay unchanged or get the default. */
interface ChannelOptions {
  readonly to?: string[];
  readonly from?: string;
  readonly server?: string;
  readonly chat?: string;
  readonly template?: string;
  /** Stored secrets: `NAME` for the first secret field, or `FIELD=NAME`. */
  readonly secret?: string[];
  readonly secretStdin: boolean;
  readonly allowPrivate?: boolean;
  readonly insecure?: boolean;
}

export interface ChannelCreateInput extends ResultFormat, ChannelOptions {
  readonly name: string;
  readonly kind: ChannelView['kind'];
}

export interface ChannelInput extends ResultFormat {
  /** Name or ID. */
  readonly channel: string;
}

export interface ChannelUpdateInput extends ChannelInput, ChannelOptions {
  readonly name?: string;
  readonly active?: boolean;
}

/** The secret fields of a kind, in the order in which they are read. */
const secretsOf: Readonly<Record<ChannelView['kind'], readonly ChannelSecretField[]>> = {
  mail: [],
  slack: ['url'],
  teams: ['url'],
  discord: ['url'],
  telegram: ['token'],
  ntfy: ['topic', 'token'],
  gotify: ['token'],
  url: ['url', 'authorization'],
  desktop: [],
};

/** Lists notification channels by name. */
export function runChannels(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const channels = await listChannels(context, host);
    if (format === 'json') await printJson(context, { channels });
    else if (channels.length === 0)
      await context.terminal.stderr.write(
        'No channels. Create the first with: engine notify channels create NAME --kind slack\n',
      );
    else await printLines(context, tabulate(channels));
    return exitCodes.success;
  });
}

const tabulate = (channels: readonly ChannelView[]): string[] =>
  formatTable(
    ['NAME', 'KIND', 'STATE', 'ADDRESS', 'RULES', 'LAST RESULT'],
    channels.map((channel) => [
      oneLine(channel.name),
      channel.kind,
      getState(channel),
      oneLine(channel.address),
      channel.rules.map(oneLine).join(', '),
      oneLine(channel.lastStatus ?? ''),
    ]),
  );

function getState({ active, disabledReason, failingSince }: ChannelView): string {
  if (!active) return disabledReason === undefined ? 'off' : 'turned off automatically';
  return failingSince === undefined ? 'on' : 'failing';
}

/** Creates a channel. Its URL, token or topic comes from stdin, or is asked for without echo. */
export async function runChannelCreate(context: CommandContext, input: ChannelCreateInput): Promise<number> {
  const { name, kind, format } = input;
  const names = readSecretNames(kind, input.secret);
  const secrets = await readSecrets(context, kind, { names, fromStdin: input.secretStdin });
  return withHost(context, async ({ api }) => {
    const options = { name, kind, ...getFields(context, input), ...secrets, secrets: names };
    const channel = await api.call('channels.create', options, context.caller).catch(addHint);
    if (format === 'json') await printJson(context, channel);
    else
      await printLines(context, [
        `Created channel ${channel.name} (${channel.kind}: ${oneLine(channel.address)}). Test it with: engine notify channels test ${channel.name}`,
      ]);
    return exitCodes.success;
  });
}

/** Changes a channel. */
export function runChannelUpdate(context: CommandContext, input: ChannelUpdateInput): Promise<number> {
  const { name, active, secretStdin } = input;
  return withHost(context, async (host) => {
    const { id, kind } = findChannel(await listChannels(context, host), input.channel);
    const names = readSecretNames(kind, input.secret);
    const change = {
      channelId: id,
      ...getFields(context, input),
      ...(name !== undefined && { name }),
      ...(active !== undefined && { active }),
      ...(Object.keys(names).length > 0 && { secrets: names }),
      ...(secretStdin && (await readSecrets(context, kind, { names, fromStdin: true }))),
    };
    const channel = await host.api.call('channels.update', change, context.caller).catch(addHint);
    if (input.format === 'json') await printJson(context, channel);
    else await printLines(context, [`Updated channel ${channel.name} (${getState(channel)}).`]);
    return exitCodes.success;
  });
}

/** Sends a test and prints the response. Exit code 1 if it was not accepted. */
export function runChannelTest(context: CommandContext, input: ChannelInput): Promise<number> {
  return withHost(context, async (host) => {
    const channel = findChannel(await listChannels(context, host), input.channel);
    const result = await host.api.call('channels.test', { channelId: channel.id }, context.caller);
    if (input.format === 'json') await printJson(context, result);
    else await printLines(context, [formatTest(channel.name, result)]);
    return result.delivered ? exitCodes.success : exitCodes.runFailed;
  });
}

/** Describes the response to a test. */
export function formatTest(
  name: string,
  { status, statusCode, durationMs, body = '' }: OperationOutput<'channels.test'>,
): string {
  const code = statusCode === undefined || status.includes(String(statusCode)) ? '' : ` (${statusCode})`;
  const answer = body.trim() === '' ? '' : `: ${oneLine(body.trim())}`;
  return `${oneLine(name)}: ${oneLine(status)}${code} in ${durationMs} ms${answer}`;
}

/** Deletes a channel. */
export function runChannelDelete(context: CommandContext, input: ChannelInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = findChannel(await listChannels(context, host), input.channel);
    const channel = await host.api.call('channels.delete', { channelId: id }, context.caller);
    if (input.format === 'json') await printJson(context, channel);
    else await printLines(context, [`Deleted channel ${channel.name} and its notifications.`]);
    return exitCodes.success;
  });
}

export const listChannels = async (context: CommandContext, { api }: EngineClient): Promise<ChannelView[]> =>
  (await api.call('channels.list', {}, context.caller)).channels;

/** Finds a channel by name or ID. Throws `not_found`. */
export function findChannel(channels: readonly ChannelView[], query: string): ChannelView {
  const found = channels.find(({ id, name }) => name === query || String(id) === query);
  if (found !== undefined) return found;
  const nearest = findNearest(
    query,
    channels.map(({ name }) => name),
  );
  throw new AppError('not_found', `Channel "${query}" not found.`, {
    details:
      nearest === undefined ? { hint: 'Run "engine notify channels" to see all channels.' } : { nearest },
  });
}

/** Reads the names of stored secrets by field. @throws `bad_request` for an unknown field */
function readSecretNames(kind: ChannelView['kind'], options: readonly string[] = []): Record<string, string> {
  const fields = secretsOf[kind];
  return Object.fromEntries(
    options.map((option) => {
      const separator = option.indexOf('=');
      const field = separator === -1 ? fields[0] : fields.find((each) => each === option.slice(0, separator));
      if (field !== undefined) return [field, option.slice(separator + 1)];
      const known = fields.length === 0 ? 'no secrets' : `the secrets ${fields.join(', ')}`;
      throw new AppError('bad_request', `--secret ${option}: a ${kind} channel has ${known}.`);
    }),
  );
}

/** Reads the secret fields that are not stored secrets. */
async function readSecrets(
  { terminal }: CommandContext,
  kind: ChannelView['kind'],
  { names, fromStdin }: { readonly names: Readonly<Record<string, string>>; readonly fromStdin: boolean },
): Promise<Record<string, string>> {
  const fields = secretsOf[kind].filter((field) => names[field] === undefined);
  if (fromStdin) {
    const lines = await readLines();
    return Object.fromEntries(
      fields.flatMap((field, index) => (lines[index] ? [[field, lines[index]]] : [])),
    );
  }
  const [first] = secretsOf[kind];
  if (first === undefined || names[first] !== undefined) return {};
  if (!terminal.interactive)
    throw new AppError('bad_request', `A ${kind} channel requires a ${first === 'url' ? 'URL' : first}.`, {
      details: {
        hint: `Add --secret-stdin and pipe the ${first === 'url' ? 'URL' : first} to standard input, or --secret NAME for a stored secret.`,
      },
    });
  const label = first === 'url' ? 'URL' : `${first[0]!.toUpperCase()}${first.slice(1)}`;
  return { [first]: await askHidden(`${label}: `, 'Nothing entered. Nothing was changed.') };
}

const getFields = (
  { cwd }: CommandContext,
  { to, from, server, chat, template, allowPrivate, insecure }: ChannelOptions,
) => ({
  ...(to !== undefined && { to }),
  ...(from !== undefined && { from }),
  ...(server !== undefined && { server }),
  ...(chat !== undefined && { chatId: chat }),
  ...(template !== undefined && {
    template: template === '-' ? '' : readTemplate(path.resolve(cwd, template)),
  }),
  ...(allowPrivate !== undefined && { allowPrivate }),
  ...(insecure !== undefined && { verifyTls: !insecure }),
});

function readTemplate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${file}: ${getErrorMessage(error)}`, { cause: error });
  }
}

/** Names the option in errors about private addresses. */
function addHint(error: unknown): never {
  if (error instanceof AppError && error.message.includes('Allow private addresses'))
    throw new AppError(error.code, error.message, {
      cause: error,
      details: {
        ...error.details,
        hint: 'Use --allow-private to allow loopback and private network addresses.',
      },
    });
  throw error;
}

export interface NotificationsInput extends ResultFormat {
  readonly limit: number;
}

/** Lists notifications, newest first. */
export function runNotifications(
  context: CommandContext,
  { limit, format }: NotificationsInput,
): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { notifications } = await api.call('notifications.list', { limit }, context.caller);
    if (format === 'json') await printJson(context, { notifications });
    else if (notifications.length === 0) await context.terminal.stderr.write('No notifications.\n');
    else
      await printLines(
        context,
        formatTable(
          ['ID', 'CREATED', 'CHANNEL', 'STATE', 'TITLE', 'LAST RESULT'],
          notifications.map(({ id, createdAt, channel, state, title, lastAttempt, reason }) => [
            String(id),
            formatDateTime(new Date(createdAt)),
            oneLine(channel),
            state,
            oneLine(title),
            oneLine(lastAttempt?.status ?? reason ?? ''),
          ]),
        ),
      );
    return exitCodes.success;
  });
}

export interface ResendInput extends ResultFormat {
  readonly id: number;
}

/** Sends a notification again. It is delivered by a running server or by the app. */
export function runResend(context: CommandContext, { id, format }: ResendInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { messageId } = await api.call('notifications.resend', { messageId: id }, context.caller);
    if (format === 'json') await printJson(context, { messageId });
    else await printLines(context, [`Queued as notification ${messageId}.`]);
    return exitCodes.success;
  });
}
