import { randomBytes } from 'node:crypto';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { WebhookKind, HookOptions, HookView } from '../../contract/webhook-views.ts';
import type { OperationInput } from '../../contract/operations.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { readPages } from '../host/engine-client.ts';
import { readLine } from '../prompts.ts';
import { oneLine, formatTable } from '../format.ts';
import { awaitEvent } from './deliveries.ts';

export interface WebhookListInput extends ResultFormat {
  readonly kind?: WebhookKind;
}

export interface WebhookCreateInput extends ResultFormat {
  readonly url: string;
  readonly kind?: WebhookKind;
  readonly owner?: string;
  readonly events?: readonly string[];
  readonly secretStdin: boolean;
  readonly form: boolean;
  readonly allowPrivate: boolean;
  readonly insecure: boolean;
  readonly githubHeaders: boolean;
  /** For apps only. */
  readonly permissions?: HookOptions['permissions'];
}

export interface WebhookInput extends ResultFormat {
  readonly id: number;
}

/** Lists webhooks, newest first. */
export function runWebhooks(context: CommandContext, { format, kind }: WebhookListInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const webhooks = await readPages(async (page) => {
      const result = await api.call('webhooks.list', { ...page, kind }, context.caller);
      return { entries: result.hooks, nextCursor: result.nextCursor };
    });
    if (format === 'json') await printJson(context, { hooks: webhooks });
    else if (webhooks.length === 0) await context.terminal.stderr.write('No webhooks.\n');
    else await printLines(context, tabulate(webhooks));
    return exitCodes.success;
  });
}

/** Creates a webhook and sends a ping. */
export async function runWebhookCreate(context: CommandContext, input: WebhookCreateInput): Promise<number> {
  const secret = input.secretStdin ? await readLine() : undefined;
  if (secret === '') throw new AppError('bad_request', 'No secret on standard input.');
  return withHost(context, async (host) => {
    const options = {
      url: input.url,
      kind: input.kind,
      owner: input.owner,
      secret,
      events: input.events && [...input.events],
      format: input.form ? 'form' : 'json',
      verifyTls: !input.insecure,
      options: {
        ...(input.allowPrivate && { allowPrivate: true }),
        ...(input.githubHeaders && { githubHeaders: true }),
        ...(input.permissions !== undefined && { permissions: input.permissions }),
      },
    } as const;
    const webhook = await host.api
      .call('webhooks.create', options, context.caller)
      .catch((error: unknown) => {
        throw input.allowPrivate ? error : nameOption(error);
      });
    if (input.format === 'json') await printJson(context, webhook);
    else
      await printLines(context, [
        `Created webhook ${webhook.id}: sends ${webhook.events.join(', ')} to ${oneLine(webhook.url)}`,
      ]);
    // Sponsored accounts get no ping.
    if (webhook.kind !== 'sponsored')
      await awaitEvent(context, host, { hookId: webhook.id, isShown: input.format === 'text' });
    return exitCodes.success;
  });
}

/** Names the matching option in errors about a URL. */
export function nameOption(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { errors = [] } = (error.details ?? {}) as { errors?: readonly { field: string; code: string }[] };
  if (!errors.some(({ field, code }) => field === 'url' && code === 'invalid')) return error;
  const hint = 'Use --allow-private to allow loopback and private network addresses.';
  return new AppError(error.code, error.message, { cause: error, details: { ...error.details, hint } });
}

/** Deletes a webhook. */
export function runWebhookDelete(context: CommandContext, { id, format }: WebhookInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const webhook = await api.call('webhooks.delete', { hookId: id }, context.caller);
    if (format === 'json') await printJson(context, webhook);
    else await printLines(context, [`Deleted webhook ${webhook.id} (${oneLine(webhook.url)}).`]);
    return exitCodes.success;
  });
}

const tabulate = (webhooks: readonly HookView[]): string[] =>
  formatTable(
    ['ID', 'OWNER', 'URL', 'EVENTS', 'STATE', 'LAST RESPONSE'],
    webhooks.map((webhook) => [
      String(webhook.id),
      `${webhook.kind} ${webhook.owner}`,
      oneLine(webhook.url),
      shorten(webhook.events),
      getState(webhook),
      oneLine(webhook.lastResponse.message ?? webhook.lastResponse.status),
    ]),
  );

const maxNames = 4;

/** Returns as many event names as fit the table; `--format json` has all. */
function shorten(events: readonly string[]): string {
  const more = events.length - maxNames;
  return more <= 1 ? events.join(',') : `${events.slice(0, maxNames).join(',')} and ${more} more`;
}

function getState({ active, disabledReason, failingSince }: HookView): string {
  if (disabledReason !== undefined) return 'disabled automatically';
  if (!active) return 'off';
  return failingSince === undefined ? 'on' : 'failing';
}

/** Changes of a webhook; absent fields stay unchanged. */
export interface WebhookUpdateInput extends WebhookInput {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly permissions?: HookOptions['permissions'];
  readonly body?: HookView['format'];
  readonly active?: boolean;
  readonly allowPrivate?: boolean;
  readonly insecure?: boolean;
  readonly githubHeaders?: boolean;
}

export interface WebhookSecretInput extends WebhookInput {
  readonly secretStdin: boolean;
  readonly overlapHours?: number;
}

/** Changes a webhook. */
export function runWebhookUpdate(context: CommandContext, input: WebhookUpdateInput): Promise<number> {
  const { id: hookId, url, events, body, active, insecure, allowPrivate } = input;
  return withHost(context, async ({ api }) => {
    const { options } = await api.call('webhooks.get', { hookId }, context.caller);
    const change: OperationInput<'webhooks.update'> = {
      hookId,
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: [...events] }),
      ...(body !== undefined && { format: body }),
      ...(active !== undefined && { active }),
      ...(insecure !== undefined && { verifyTls: !insecure }),
      options: { ...options, ...getOptions(input) },
    };
    const webhook = await api.call('webhooks.update', change, context.caller).catch((error: unknown) => {
      throw allowPrivate === true ? error : nameOption(error);
    });
    if (input.format === 'json') await printJson(context, webhook);
    else
      await printLines(context, [
        `Updated webhook ${webhook.id} (${webhook.active ? 'active' : 'inactive'}).`,
      ]);
    return exitCodes.success;
  });
}

/** Sets a new webhook secret. A generated secret is written to stdout. */
export async function runWebhookSecret(context: CommandContext, input: WebhookSecretInput): Promise<number> {
  const { id: hookId, overlapHours, secretStdin, format } = input;
  const secretInput = secretStdin ? await readLine() : undefined;
  if (secretInput === '') throw new AppError('bad_request', 'No secret on standard input.');
  const secret = secretInput ?? randomBytes(32).toString('base64url');
  return withHost(context, async ({ api }) => {
    const options = { hookId, secret, ...(overlapHours !== undefined && { overlapHours }) };
    const webhook = await api.call('webhooks.rotateSecret', options, context.caller);
    if (format === 'json')
      await printJson(context, { hook: webhook, ...(secretInput === undefined && { secret }) });
    else if (secretInput === undefined) {
      await context.terminal.stderr.write('Copy the secret now. It is not shown again:\n');
      await printLines(context, [secret]);
    } else await printLines(context, [`Rotated the secret of webhook ${webhook.id}.`]);
    return exitCodes.success;
  });
}

const getOptions = ({ allowPrivate, githubHeaders, permissions }: WebhookUpdateInput): HookOptions => ({
  ...(allowPrivate !== undefined && { allowPrivate }),
  ...(githubHeaders !== undefined && { githubHeaders }),
  ...(permissions !== undefined && { permissions }),
});
