import { wait } from '../../base/wait.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import type {
  DeliveryDetailView,
  DeliveryView,
  WebhookKind,
  MessageView,
} from '../../contract/webhook-views.ts';
import { AppError, formatFsError } from '../../base/errors.ts';
import { explainInvalidJson } from '../../base/json.ts';
import { stripBom } from '../../base/text.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { oneLine, formatFields, formatTable, formatDateTime } from '../format.ts';
import { type EngineClient, readPages } from '../host/engine-client.ts';

export interface DeliveriesInput extends ResultFormat {
  readonly id: number;
  /** A single delivery, with request and response. */
  readonly delivery?: number;
  readonly failed: boolean;
  /** Default: 20. */
  readonly limit?: number;
}

export interface RedeliverInput extends ResultFormat {
  readonly id: number;
  readonly delivery: number;
}

export interface ReplayInput extends ResultFormat {
  readonly id: number;
  readonly since: string;
  readonly all: boolean;
}

/** Lists the deliveries of a webhook, newest first, or prints one. */
export function runDeliveries(context: CommandContext, input: DeliveriesInput): Promise<number> {
  const { id, delivery: deliveryId, failed, limit = 20, format } = input;
  return withHost(context, async ({ api }) => {
    if (deliveryId !== undefined) {
      const delivery = await api.call('webhooks.delivery', { hookId: id, deliveryId }, context.caller);
      if (format === 'json') await printJson(context, delivery);
      else await printLines(context, formatDelivery(delivery));
      return exitCodes.success;
    }
    const deliveries = await readPages(async (page) => {
      const outcome = failed ? 'failure' : undefined;
      const result = await api.call('webhooks.deliveries', { hookId: id, outcome, ...page }, context.caller);
      return { entries: result.deliveries, nextCursor: result.nextCursor };
    }, limit);
    if (format === 'json') await printJson(context, { deliveries });
    else if (deliveries.length === 0) await context.terminal.stderr.write('No deliveries.\n');
    else await printLines(context, tabulate(deliveries));
    return exitCodes.success;
  });
}

/** Redelivers a delivery. */
export function runRedeliver(context: CommandContext, input: RedeliverInput): Promise<number> {
  const { id, delivery, format } = input;
  return withHost(context, async (host) => {
    const options = { hookId: id, deliveryId: delivery };
    const again = await host.api.call('webhooks.redeliver', options, context.caller);
    if (format === 'json') await printJson(context, again);
    else await printLines(context, [`Redelivering delivery ${delivery} as ${again.guid}.`]);
    await awaitEvent(context, host, { ...again, isShown: format === 'text' });
    return exitCodes.success;
  });
}

/** Redelivers all events since a time. */
export function runReplay(context: CommandContext, input: ReplayInput): Promise<number> {
  const { id, since, all, format } = input;
  return withHost(context, async (host) => {
    const options = { hookId: id, since, only: all ? 'all' : 'failed' } as const;
    const replayResult = await host.api.call('webhooks.replay', options, context.caller);
    if (format === 'json') await printJson(context, replayResult);
    else
      await printLines(context, [
        `Redelivering ${replayResult.replayed} ${replayResult.replayed === 1 ? 'event' : 'events'}.`,
      ]);
    if (replayResult.replayed > 0) await awaitEvent(context, host, { hookId: id, isShown: false });
    return exitCodes.success;
  });
}

const tabulate = (deliveries: readonly DeliveryView[]): string[] =>
  formatTable(
    ['ID', 'TIME', 'EVENT', 'GUID', 'STATUS'],
    deliveries.map(({ id, deliveredAt, event, action, guid, redelivery, status }) => [
      String(id),
      formatDateTime(new Date(deliveredAt)),
      action === undefined ? event : `${event}.${action}`,
      guid,
      `${oneLine(status)}${redelivery ? ' (redelivery)' : ''}`,
    ]),
  );

function formatDelivery(delivery: DeliveryDetailView): string[] {
  const { deliveredAt, durationMs, status, statusCode, request, response, url } = delivery;
  return [
    ...formatFields([
      ['Sent', `${formatDateTime(new Date(deliveredAt))} (${durationMs} ms)`],
      ['To', oneLine(url)],
      ['Status', oneLine(status === 'OK' && statusCode !== undefined ? `OK (${statusCode})` : status)],
    ]),
    ...showMessage('Request', request),
    ...(response === undefined ? [] : showMessage('Response', response)),
    ...(response?.cut === true ? ['…'] : []),
  ];
}

const showMessage = (
  title: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): string[] => [
  '',
  `${title}:`,
  ...Object.entries(headers).map(([name, value]) => oneLine(`${name}: ${value}`)),
  ...(body === '' ? [] : ['', ...body.split('\n').map(oneLine)]),
];

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

/** Emits an event to webhooks and prints the responses of the receivers. */
export async function runEmit(context: CommandContext, input: EmitInput): Promise<number> {
  const payload = await readPayload(context, input.payload);
  return withHost(context, async (host) => {
    const { event, refsAtOnce, format } = input;
    const emitted = await host.api.call('webhooks.emit', { event, payload, refsAtOnce }, context.caller);
    if (format === 'json') await printJson(context, emitted);
    else await printLines(context, [formatEvent(event, emitted)]);
    if (emitted.guid !== undefined && emitted.hooks > 0)
      await awaitEvent(context, host, { guid: emitted.guid, isShown: format === 'text' });
    return exitCodes.success;
  });
}

/** Sends a ping to a webhook and prints the response of its receiver. */
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

const formatEvent = (event: string, emitted: { hooks: number; reason?: string | undefined }): string => {
  if (emitted.hooks === 0) return `Not delivered: ${emitted.reason ?? ''}`;
  return `Sent ${event} to ${emitted.hooks} ${emitted.hooks === 1 ? 'webhook' : 'webhooks'}`;
};

export async function readPayload(context: CommandContext, file: string): Promise<Record<string, unknown>> {
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
    throw new AppError('bad_request', `Invalid JSON in ${source}: ${explainInvalidJson(text)}.`);
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
    await wait(clock, pollIntervalMs);
    const open = await listOpen(host, about, caller);
    messages = messageId === undefined ? open : open.filter(({ id }) => id === messageId);
  } while (clock.monotonic() < end && (messages.length === 0 || messages.some(isUnattempted)));
  if (!isShown) return;
  for (const message of messages) await printLines(context, [await formatMessage(host, message, caller)]);
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

async function formatMessage(
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
