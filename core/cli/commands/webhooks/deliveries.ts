import { exitCodes } from '../../../base/error-codes.ts';
import type { DeliveryDetailView, DeliveryView } from '../../../contract/webhooks/webhook-views.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import { readPages } from '../../read-pages.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatFields, formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';
import { awaitEvent } from './events.ts';

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

/** Lists the deliveries of a webhook, newest first, or shows one. */
export function runDeliveries(context: CommandContext, input: DeliveriesInput): Promise<number> {
  const { id, delivery: deliveryId, failed, limit = 20, format } = input;
  return withHost(context, async ({ api }) => {
    if (deliveryId !== undefined) {
      const delivery = await api.call('webhooks.delivery', { hookId: id, deliveryId }, context.caller);
      if (format === 'json') await printJson(context, delivery);
      else await printLines(context, describe(delivery));
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

function describe(delivery: DeliveryDetailView): string[] {
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
