import { randomBytes } from 'node:crypto';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { OperationInput } from '../../../contract/operations.ts';
import type { HookOptions, HookView } from '../../../contract/webhooks/webhook-views.ts';
import { type CommandContext, printJson, printLines, withHost } from '../../command-context.ts';
import { readLine } from '../../questions/read-password.ts';
import { nameOption, type WebhookInput } from './webhooks.ts';

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
      options: { ...options, ...optionsOf(input) },
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

const optionsOf = ({ allowPrivate, githubHeaders, permissions }: WebhookUpdateInput): HookOptions => ({
  ...(allowPrivate !== undefined && { allowPrivate }),
  ...(githubHeaders !== undefined && { githubHeaders }),
  ...(permissions !== undefined && { permissions }),
});
