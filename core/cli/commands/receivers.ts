import { randomBytes } from 'node:crypto';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { ReceiverView, ReceivedDeliveryView } from '../../contract/receivers.ts';
import type { ReceiverMethod } from '../../model/webhook.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
  type OutputFormat,
} from '../command-context.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { readLine } from '../prompts.ts';
import { readPayload } from './deliveries.ts';
import { oneLine, formatTable, formatFields, formatDateTime } from '../format.ts';

/** Receiver options; absent ones stay unchanged or get the default. */
interface ReceiverOptions {
  readonly methods?: readonly ReceiverMethod[];
  readonly allowSha1?: boolean;
  readonly maxBody?: number;
  readonly dedupeSec?: number;
  readonly keepDays?: number;
}

export interface ReceiverCreateInput extends ResultFormat, ReceiverOptions {
  readonly name: string;
  readonly scheme: ReceiverView['scheme'];
  /** Reads the secret from the first line of stdin; otherwise generates one. */
  readonly secretStdin: boolean;
}

export interface ReceiverUpdateInput extends ResultFormat, ReceiverOptions {
  readonly receiver: string;
  readonly name?: string;
  readonly active?: boolean;
}

export interface ReceiverInput extends ResultFormat {
  /** Name or ID. */
  readonly receiver: string;
}

export interface SampleInput extends ReceiverInput {
  /** Default: a typical event of the scheme. */
  readonly event?: string;
  /** JSON file, or `-` for stdin. */
  readonly payload?: string;
}

export interface RotateSecretInput extends ReceiverInput {
  readonly secretStdin: boolean;
  readonly overlapSec?: number;
}

/** Lists webhook receivers by name. */
export function runReceivers(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const receivers = await listReceivers(context, host);
    if (format === 'json') await printJson(context, { receivers });
    else if (receivers.length === 0) {
      const hint = 'No receivers. Create the first with: engine webhooks receivers create NAME\n';
      await context.terminal.stderr.write(hint);
    } else {
      await printLines(context, tabulate(receivers));
      await warnIfUnserved(context, receivers);
    }
    return exitCodes.success;
  });
}

async function warnIfUnserved(context: CommandContext, receivers: readonly ReceiverView[]): Promise<void> {
  if (receivers.every(({ isServed }) => isServed)) return;
  await context.terminal.stderr.write(
    'No server of this home is running. Start it with "engine server" or "engine start-all".\n',
  );
}

/** Signs a sample payload with the receiver's secret, sends it and prints the response and the runs. */
export async function runSendSample(context: CommandContext, input: SampleInput): Promise<number> {
  const { receiver: query, event, payload: file, format } = input;
  const payload = file === undefined ? {} : { payload: await readPayload(context, file) };
  return withHost(context, async (host) => {
    const { id: receiverId } = findReceiver(await listReceivers(context, host), query);
    const options = { receiverId, ...(event !== undefined && { event }), ...payload };
    const sent = await host.api.call('receivers.sendSample', options, context.caller);
    const isAccepted = sent.status < 300;
    if (format === 'json') await printJson(context, sent);
    else {
      const runs = sent.delivery?.runs.map(({ name, dagRunId }) => `Started ${name} ${dagRunId}`) ?? [];
      const none = isAccepted ? ['No workflow started.'] : [];
      const skipped = sent.delivery?.decisions.filter(({ reason }) => reason !== undefined) ?? [];
      await printLines(context, [
        `Sent ${sent.event ?? 'a sample'} to ${sent.url}`,
        `${sent.status} ${oneLine(sent.body)}`,
        ...(runs.length === 0 ? none : runs),
        ...skipped.map(({ workflow, reason = '' }) => `${workflow}: ${oneLine(reason)}`),
      ]);
    }
    return isAccepted ? exitCodes.success : exitCodes.runFailed;
  });
}

/** Creates a receiver. Its URL is written to stdout, followed by a generated secret, which is not shown again. */
export async function runReceiverCreate(
  context: CommandContext,
  input: ReceiverCreateInput,
): Promise<number> {
  const { name, scheme } = input;
  const secretInput = input.secretStdin ? await readLine() : undefined;
  const secret = secretInput ?? makeSecret(scheme);
  return withHost(context, async ({ api }) => {
    const options = { name, scheme, secrets: [secret], ...getSettings(input) };
    const receiver = await api.call('receivers.create', options, context.caller);
    const generated = secretInput === undefined ? { secret } : {};
    if (input.format === 'json') await printJson(context, { receiver, ...generated });
    else {
      if (secretInput === undefined)
        await context.terminal.stderr.write('URL and secret. Copy the secret now, it is not shown again:\n');
      await printLines(context, [receiver.url, ...Object.values(generated)]);
      await warnIfUnserved(context, [receiver]);
    }
    return exitCodes.success;
  });
}

/** Changes a receiver. */
export function runReceiverUpdate(context: CommandContext, input: ReceiverUpdateInput): Promise<number> {
  const { name, active } = input;
  return changeReceiver(context, input, async ({ api }, receiverId) => {
    const change = {
      receiverId,
      ...getSettings(input),
      ...(name !== undefined && { name }),
      ...(active !== undefined && { active }),
    };
    const receiver = await api.call('receivers.update', change, context.caller);
    return {
      receiver,
      message: `Updated receiver ${receiver.name} (${receiver.active ? 'active' : 'inactive'}).`,
    };
  });
}

/** Deletes a receiver with all its deliveries. */
export function runReceiverDelete(context: CommandContext, input: ReceiverInput): Promise<number> {
  return changeReceiver(context, input, async ({ api }, receiverId) => {
    const receiver = await api.call('receivers.delete', { receiverId }, context.caller);
    return { receiver, message: `Deleted receiver ${receiver.name} and its deliveries.` };
  });
}

/** Sets a new receiver secret. A generated secret is written to stdout. */
export async function runRotateSecret(context: CommandContext, input: RotateSecretInput): Promise<number> {
  const { overlapSec } = input;
  const secretInput = input.secretStdin ? await readLine() : undefined;
  return withHost(context, async (host) => {
    const { id, scheme } = findReceiver(await listReceivers(context, host), input.receiver);
    const secret = secretInput ?? makeSecret(scheme);
    const options = { receiverId: id, secret, ...(overlapSec !== undefined && { overlapSec }) };
    const receiver = await host.api.call('receivers.rotate', options, context.caller);
    if (input.format === 'json')
      await printJson(context, { receiver, ...(secretInput === undefined && { secret }) });
    else if (secretInput === undefined) {
      await context.terminal.stderr.write('Copy the secret now. It is not shown again:\n');
      await printLines(context, [secret]);
    } else await printLines(context, [`Rotated the secret of receiver ${receiver.name}.`]);
    return exitCodes.success;
  });
}

async function changeReceiver(
  context: CommandContext,
  { receiver: query, format }: ReceiverInput,
  change: (
    host: EngineClient,
    id: string,
  ) => Promise<{ readonly receiver: ReceiverView; readonly message: string }>,
): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = findReceiver(await listReceivers(context, host), query);
    const { receiver, message } = await change(host, id);
    if (format === 'json') await printJson(context, receiver);
    else await printLines(context, [message]);
    return exitCodes.success;
  });
}

export const listReceivers = async (
  context: CommandContext,
  { api }: EngineClient,
): Promise<ReceiverView[]> => (await api.call('receivers.list', {}, context.caller)).receivers;

/** Finds a receiver by name or ID. Throws `not_found`. */
export function findReceiver(receivers: readonly ReceiverView[], query: string): ReceiverView {
  const found = receivers.find(({ id, name }) => id === query || name === query);
  if (found !== undefined) return found;
  const nearest = findNearest(
    query,
    receivers.map(({ name }) => name),
  );
  throw new AppError('not_found', `Receiver "${query}" not found.`, {
    details:
      nearest === undefined ? { hint: 'Run "engine webhooks receivers" to see all receivers.' } : { nearest },
  });
}

/** Generates a secret in the form of the scheme. */
function makeSecret(scheme: ReceiverView['scheme']): string {
  const bytes = randomBytes(32);
  if (scheme === 'standard') return `whsec_${bytes.toString('base64')}`;
  const secret = bytes.toString('base64url');
  if (scheme === 'basic') return `webhook:${secret}`;
  return scheme === 'header' ? `X-Api-Key: ${secret}` : secret;
}

const getSettings = ({ methods, allowSha1, maxBody, dedupeSec, keepDays }: ReceiverOptions) => ({
  ...(methods !== undefined && { methods: [...methods] }),
  ...(allowSha1 !== undefined && { allowSha1 }),
  ...(maxBody !== undefined && { maxBodyBytes: maxBody }),
  ...(dedupeSec !== undefined && { dedupeSec }),
  ...(keepDays !== undefined && { keepDays }),
});

const tabulate = (receivers: readonly ReceiverView[]): string[] =>
  formatTable(
    ['NAME', 'SCHEME', 'METHODS', 'STATE', 'WORKFLOWS', 'URL'],
    receivers.map(({ name, scheme, methods, active, workflows, url }) => [
      oneLine(name),
      scheme,
      methods.join(','),
      active ? 'on' : 'off',
      workflows.join(', '),
      url,
    ]),
  );

export interface DeliveriesInput {
  /** Name or ID. */
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

/** Lists the deliveries to a receiver, newest first, or prints one and why it did or did not start each workflow. */
export function runReceivedDeliveries(context: CommandContext, input: DeliveriesInput): Promise<number> {
  const { receiver: query, id, limit, refused, format } = input;
  return withHost(context, async (host) => {
    const { id: receiverId } = findReceiver(await listReceivers(context, host), query);
    if (id !== undefined) {
      const delivery = await host.api.call('receivers.delivery', { receiverId, id }, context.caller);
      if (format === 'json') await printJson(context, delivery);
      else await printLines(context, formatDelivery(delivery));
      return exitCodes.success;
    }
    const options = { receiverId, limit, ...(refused && { verified: false }) };
    const { deliveries } = await host.api.call('receivers.deliveries', options, context.caller);
    if (format === 'json') await printJson(context, { deliveries });
    else if (deliveries.length === 0) await context.terminal.stderr.write('No deliveries.\n');
    else await printLines(context, tabulateReceived(deliveries));
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

const tabulateReceived = (deliveries: readonly ReceivedDeliveryView[]): string[] =>
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

function formatDelivery(
  delivery: ReceivedDeliveryView & { readonly headers: Record<string, string>; readonly body?: string },
): string[] {
  const { decisions, headers, body } = delivery;
  return [
    ...formatFields([
      ['Received', formatDateTime(new Date(delivery.receivedAt))],
      ['Method', delivery.method],
      ['Status', delivery.status],
      ['Verified by', delivery.proof],
      ['Reason', delivery.reason && oneLine(delivery.reason)],
      ['Event', delivery.event && oneLine(delivery.event)],
      ['Action', delivery.action && oneLine(delivery.action)],
      ['Delivery', delivery.deliveryId && oneLine(delivery.deliveryId)],
      ['Duplicate of', delivery.duplicateOf],
      ['Replay of', delivery.replayOf],
    ]),
    ...(decisions.length === 0 ? ['', 'No workflow subscribes to this receiver.'] : ['']),
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
