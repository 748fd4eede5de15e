import { exitCodes } from '../../../base/error-codes.ts';
import type { ReceivedDeliveryView } from '../../../contract/webhooks/receivers.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatFields, formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';
import { findReceiver, listReceivers } from './receivers.ts';

export interface DeliveriesInput {
  /** Name or id. */
  readonly receiver: string;
  /** A single delivery, with headers and body. */
  readonly id?: string;
  readonly limit: number;
  readonly refused?: boolean;
  readonly format: OutputFormat;
}

export interface ReplayInput {
  readonly receiver: string;
  readonly id: string;
  readonly format: OutputFormat;
}

/** Lists the deliveries to a receiver, newest first, or shows one and why it did or did not start each workflow. */
export function runReceivedDeliveries(context: CommandContext, input: DeliveriesInput): Promise<number> {
  const { receiver: query, id, limit, refused, format } = input;
  return withHost(context, async (host) => {
    const { id: receiverId } = findReceiver(await listReceivers(context, host), query);
    if (id !== undefined) {
      const delivery = await host.api.call('receivers.delivery', { receiverId, id }, context.caller);
      if (format === 'json') await printJson(context, delivery);
      else await printLines(context, describe(delivery));
      return exitCodes.success;
    }
    const options = { receiverId, limit, ...(refused && { verified: false }) };
    const { deliveries } = await host.api.call('receivers.deliveries', options, context.caller);
    if (format === 'json') await printJson(context, { deliveries });
    else if (deliveries.length === 0) await context.terminal.stderr.write('No deliveries.\n');
    else await printLines(context, tabulate(deliveries));
    return exitCodes.success;
  });
}

/** Replays a received delivery. */
export function runReplayReceived(context: CommandContext, input: ReplayInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id: receiverId } = findReceiver(await listReceivers(context, host), input.receiver);
    const address = { receiverId, id: input.id };
    const delivery = await host.api.call('receivers.replay', address, context.caller);
    if (input.format === 'json') await printJson(context, delivery);
    else {
      const names = delivery.runs.map(({ name, dagRunId }) => `${name} ${dagRunId}`);
      const startedRuns = names.length === 0 ? ['no run started'] : names;
      await printLines(context, [`Replayed delivery ${input.id} as ${delivery.id}.`, ...startedRuns]);
    }
    return exitCodes.success;
  });
}

const tabulate = (deliveries: readonly ReceivedDeliveryView[]): string[] =>
  formatTable(
    ['ID', 'CAME', 'STATUS', 'EVENT', 'ACTION', 'DELIVERY', 'RUNS', 'REASON'],
    deliveries.map((delivery) => [
      delivery.id,
      formatDateTime(new Date(delivery.receivedAt)),
      delivery.status,
      oneLine(delivery.event ?? ''),
      oneLine(delivery.action ?? ''),
      oneLine(delivery.deliveryId ?? ''),
      delivery.runs.map(({ name }) => name).join(', '),
      oneLine(delivery.reason ?? ''),
    ]),
  );

function describe(
  delivery: ReceivedDeliveryView & { readonly headers: Record<string, string>; readonly body?: string },
): string[] {
  const { decisions, headers, body } = delivery;
  return [
    ...formatFields([
      ['Came', formatDateTime(new Date(delivery.receivedAt))],
      ['Status', delivery.status],
      ['Verified by', delivery.proof],
      ['Reason', delivery.reason && oneLine(delivery.reason)],
      ['Event', delivery.event && oneLine(delivery.event)],
      ['Action', delivery.action && oneLine(delivery.action)],
      ['Delivery', delivery.deliveryId && oneLine(delivery.deliveryId)],
      ['Repeats', delivery.duplicateOf],
      ['Replay of', delivery.replayOf],
    ]),
    ...(decisions.length === 0 ? ['', 'No workflow listens to this receiver.'] : ['']),
    ...formatTable(
      ['WORKFLOW', 'OUTCOME', 'RUN', 'REASON'],
      decisions.map(({ workflow, outcome, run, reason = '' }) => [
        workflow,
        outcome.replace('_', ' '),
        run?.dagRunId ?? '',
        oneLine(reason),
      ]),
    ).slice(decisions.length === 0 ? 1 : 0),
    '',
    ...Object.entries(headers).map(([name, value]) => oneLine(`${name}: ${value}`)),
    ...(body === undefined ? [] : ['', ...body.split('\n').map(oneLine)]),
  ];
}
