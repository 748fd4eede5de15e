import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { formatFsError } from '../../../base/text/format-fs-error.ts';
import { describeJsonIssue } from '../../../base/text/json-issue.ts';
import { stripBom } from '../../../base/text/strip-bom.ts';
import type { WebhookKind } from '../../../contract/webhooks/events.ts';
import type { MessageView } from '../../../contract/webhooks/webhook-views.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';

export interface EmitInput extends ResultFormat {
  readonly event: string;
  /** File path; `-` for stdin. */
  readonly payload: string;
  readonly refsAtOnce?: number;
}

export interface PingInput extends ResultFormat {
  readonly id: number;
}

export interface CatalogInput extends ResultFormat {
  readonly kind?: WebhookKind;
}

/** Emits an event to webhooks and shows the responses of the receivers. */
export async function runEmit(context: CommandContext, input: EmitInput): Promise<number> {
  const payload = await readPayload(context, input.payload);
  return withHost(context, async (host) => {
    const { event, refsAtOnce, format } = input;
    const emitted = await host.api.call('webhooks.emit', { event, payload, refsAtOnce }, context.caller);
    if (format === 'json') await printJson(context, emitted);
    else await printLines(context, [describe(event, emitted)]);
    if (emitted.guid !== undefined && emitted.hooks > 0)
      await awaitEvent(context, host, { guid: emitted.guid, isShown: format === 'text' });
    return exitCodes.success;
  });
}

/** Sends a ping to a webhook and shows the response of its receiver. */
export function runPing(context: CommandContext, { id, format }: PingInput): Promise<number> {
  return withHost(context, async (host) => {
    const pinged = await host.api.call('webhooks.ping', { hookId: id }, context.caller);
    if (format === 'json') await printJson(context, pinged);
    await awaitEvent(context, host, { guid: pinged.guid, isShown: format === 'text' });
    return exitCodes.success;
  });
}

/** Lists the supported events. */
export function runCatalog(context: CommandContext, { kind, format }: CatalogInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { events } = await api.call('webhooks.catalog', { kind }, context.caller);
    if (format === 'json') await printJson(context, { events });
    else
      await printLines(
        context,
        formatTable(
          ['EVENT', 'WEBHOOKS', 'DESCRIPTION'],
          events.map(({ name, availability, described }) => [name, availability.join(','), described]),
        ),
      );
    return exitCodes.success;
  });
}

const describe = (event: string, emitted: { hooks: number; reason?: string | undefined }): string => {
  if (emitted.hooks === 0) return `Not delivered: ${emitted.reason ?? ''}`;
  return `Sent ${event} to ${emitted.hooks} ${emitted.hooks === 1 ? 'webhook' : 'webhooks'}`;
};

async function readPayload(context: CommandContext, file: string): Promise<Record<string, unknown>> {
  const text =
    file === '-'
      ? await readStdin()
      : await readFile(path.resolve(context.cwd, file), 'utf8').catch(throwUnreadablePayload);
  const source = file === '-' ? 'standard input' : file;
  const parsed = parse(text, source);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return parsed as Record<string, unknown>;
  throw new AppError('bad_request', `${source}: the payload must be a JSON object.`);
}

function throwUnreadablePayload(error: unknown): never {
  throw new AppError('bad_request', `Cannot read the payload: ${formatFsError(error)}`, {
    details: { hint: 'Pass the path of a JSON file, or - for standard input.' },
  });
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(stripBom(text));
  } catch {
    throw new AppError('bad_request', `Invalid JSON in ${source}: ${describeJsonIssue(text)}.`);
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) chunks.push(part);
  return Buffer.concat(chunks).toString('utf8');
}

/** Deliveries to wait for: of an event or of a webhook. */
interface DeliveryWait {
  readonly guid?: string;
  readonly hookId?: number;
  /** Only this message; an event sent before has earlier ones. */
  readonly messageId?: number;
}

const pollIntervalMs = 50;
/** Slightly longer than an attempt may take. */
const maxMs = 12_000;

/**
 * Sends pending deliveries and waits for the first attempt of each message of an event or webhook. If another process
 * of the home sends deliveries, that process does it.
 */
export async function awaitEvent(
  context: CommandContext,
  host: EngineClient,
  { isShown, messageId, ...about }: DeliveryWait & { readonly isShown: boolean },
): Promise<void> {
  await host.sendWebhooks();
  const { clock, caller } = context;
  const end = clock.monotonic() + maxMs;
  let messages: readonly MessageView[] = [];
  do {
    await new Promise<void>((resolve) => void clock.after(pollIntervalMs, resolve));
    const open = await listOpen(host, about, caller);
    messages = messageId === undefined ? open : open.filter(({ id }) => id === messageId);
  } while (clock.monotonic() < end && (messages.length === 0 || messages.some(isUnattempted)));
  if (!isShown) return;
  for (const message of messages) await printLines(context, [await describeMessage(host, message, caller)]);
}

async function listOpen(
  { api }: EngineClient,
  { guid, hookId }: { readonly guid?: string; readonly hookId?: number },
  caller: CommandContext['caller'],
): Promise<readonly MessageView[]> {
  if (guid !== undefined)
    return (await api.call('webhooks.messages', { guid, limit: 1000 }, caller)).messages;
  const states = ['waiting', 'sending', 'delivered', 'dead', 'dropped'] as const;
  const found = await Promise.all(
    states.map((state) => api.call('webhooks.messages', { hookId, state, limit: 1000 }, caller)),
  );
  return found.flatMap(({ messages }) => messages);
}

const isUnattempted = ({ state, attempts }: MessageView): boolean =>
  state === 'sending' || (state === 'waiting' && attempts === 0);

async function describeMessage(
  { api }: EngineClient,
  { id, hookId, state, reason }: MessageView,
  caller: CommandContext['caller'],
): Promise<string> {
  const { deliveries } = await api.call('webhooks.deliveries', { hookId, limit: 100 }, caller);
  const last = deliveries.find(({ messageId }) => messageId === id);
  const outcome = oneLine(reason ?? last?.status ?? 'not attempted yet');
  if (state !== 'waiting' || last === undefined) return `webhook ${hookId}: ${outcome}`;
  const { active } = await api.call('webhooks.get', { hookId }, caller);
  return `webhook ${hookId}: ${active ? 'failed, will be retried' : 'failed, webhook disabled'}: ${outcome}`;
}
