import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { HookKind } from '../../../contract/webhooks/events.ts';
import type { HookOptions, HookView } from '../../../contract/webhooks/hook-views.ts';
import { type CommandContext, printJson, printLines, type Shown, withHost } from '../../command-context.ts';
import { readPages } from '../../read-pages.ts';
import { readLine } from '../../questions/read-password.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { awaitEvent } from './events.ts';

export interface WebhookListInput extends Shown {
  readonly kind?: HookKind;
}

export interface WebhookCreateInput extends Shown {
  readonly url: string;
  readonly kind?: HookKind;
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

export interface WebhookInput extends Shown {
  readonly id: number;
}

/** Lists webhooks, newest first. */
export function runWebhooks(context: CommandContext, { format, kind }: WebhookListInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const hooks = await readPages(async (page) => {
      const found = await api.call('webhooks.list', { ...page, kind }, context.caller);
      return { entries: found.hooks, nextCursor: found.nextCursor };
    });
    if (format === 'json') await printJson(context, { hooks });
    else if (hooks.length === 0) await context.terminal.stderr.write('No webhooks.\n');
    else await printLines(context, tabulate(hooks));
    return exitCodes.success;
  });
}

/** Creates a webhook and sends a ping. */
export async function runWebhookCreate(context: CommandContext, input: WebhookCreateInput): Promise<number> {
  const secret = input.secretStdin ? await readLine() : undefined;
  if (secret === '') throw new AppError('bad_request', 'No secret on standard input.');
  return withHost(context, async (host) => {
    const wish = {
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
    const hook = await host.api.call('webhooks.create', wish, context.caller).catch((thrown: unknown) => {
      throw input.allowPrivate ? thrown : nameOption(thrown);
    });
    if (input.format === 'json') await printJson(context, hook);
    else
      await printLines(context, [
        `Created webhook ${hook.id}: sends ${hook.events.join(', ')} to ${oneLine(hook.url)}`,
      ]);
    // Sponsored accounts get no ping.
    if (hook.kind !== 'sponsored')
      await awaitEvent(context, host, { hookId: hook.id, isShown: input.format === 'text' });
    return exitCodes.success;
  });
}

/** Names the matching option in errors about a URL. */
export function nameOption(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const { errors = [] } = (thrown.details ?? {}) as { errors?: readonly { field: string; code: string }[] };
  if (!errors.some(({ field, code }) => field === 'url' && code === 'invalid')) return thrown;
  const hint = 'Use --allow-private to allow loopback and private network addresses.';
  return new AppError(thrown.code, thrown.message, { cause: thrown, details: { ...thrown.details, hint } });
}

/** Deletes a webhook. */
export function runWebhookDelete(context: CommandContext, { id, format }: WebhookInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const hook = await api.call('webhooks.delete', { hookId: id }, context.caller);
    if (format === 'json') await printJson(context, hook);
    else await printLines(context, [`Deleted webhook ${hook.id} (${oneLine(hook.url)}).`]);
    return exitCodes.success;
  });
}

const tabulate = (hooks: readonly HookView[]): string[] =>
  formatTable(
    ['ID', 'OWNER', 'URL', 'EVENTS', 'STATE', 'LAST RESPONSE'],
    hooks.map((hook) => [
      String(hook.id),
      `${hook.kind} ${hook.owner}`,
      oneLine(hook.url),
      shorten(hook.events),
      stateOf(hook),
      oneLine(hook.lastResponse.message ?? hook.lastResponse.status),
    ]),
  );

const mostNames = 4;

/** Returns as many event names as fit the table; `--format json` has all. */
function shorten(events: readonly string[]): string {
  const more = events.length - mostNames;
  return more <= 1 ? events.join(',') : `${events.slice(0, mostNames).join(',')} and ${more} more`;
}

function stateOf({ active, disabledReason, failingSince }: HookView): string {
  if (disabledReason !== undefined) return 'disabled automatically';
  if (!active) return 'off';
  return failingSince === undefined ? 'on' : 'failing';
}
