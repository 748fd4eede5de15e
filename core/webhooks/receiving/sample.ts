import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReceiverMethod, ReceiverScheme } from '../../model/webhook.ts';
import type { Receiver } from '../../store/types/receivers.ts';
import { findEvent } from '../catalog.ts';
import { findExample } from '../example-payload.ts';
import { signBody } from '../signature.ts';
import { secretsAt } from './read-request.ts';
import { signSlack, signStripe, splitHeaderSecret } from './service-signatures.ts';

/** A sample request of a sender. */
export interface Sample {
  readonly method: ReceiverMethod;
  readonly event: string;
  /** For GET, the payload after `?`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for GET. */
  readonly body?: string;
}

/** Events of samples. */
const defaultEvents: Readonly<Record<ReceiverScheme, string>> = {
  platform: 'push',
  standard: 'invoice.paid',
  bearer: 'sample',
  slack: 'app_mention',
  stripe: 'payment_intent.succeeded',
  gitlab: 'push',
  microsoft: 'created',
  basic: 'sample',
  header: 'sample',
};

/** Builds a signed request as the sender of this scheme sends it. @param now epoch milliseconds */
export function buildSample(
  receiver: Pick<Receiver, 'scheme' | 'secrets' | 'methods'>,
  options: { readonly event?: string | undefined; readonly payload?: JsonObject | undefined },
  now: number,
): Sample {
  const { scheme } = receiver;
  const [secret] = secretsAt(receiver, now);
  if (secret === undefined) throw new AppError('conflict', 'The receiver has no valid secret.');
  const event = options.event ?? defaultEvents[scheme];
  const id = randomUUID();
  const payload = options.payload ?? buildPayload(scheme, event, { id, now, secret });
  const body = JSON.stringify(payload);
  const headers = sign(scheme, { event, id, body, secret, now });
  const method = receiver.methods.includes('POST') ? 'POST' : receiver.methods[0]!;
  if (method === 'GET') return { method, event, query: toQuery(payload), headers };
  return { method, event, query: '', headers: { 'content-type': 'application/json', ...headers }, body };
}

/** Values that are not strings become JSON. */
const toQuery = (payload: JsonObject): string =>
  `?${new URLSearchParams(
    Object.entries(payload).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()}`;

function buildPayload(
  scheme: ReceiverScheme,
  event: string,
  { id, now, secret }: { readonly id: string; readonly now: number; readonly secret: string },
): JsonObject {
  const seconds = Math.floor(now / 1000);
  switch (scheme) {
    case 'platform': {
      const known = findEvent(event);
      return known === undefined ? { message: 'Sample' } : findExample(known, undefined).payload;
    }
    case 'slack': {
      const inner = { type: event, user: 'U0000000000', channel: 'C0000000000', text: 'Sample' };
      return {
        type: 'event_callback',
        team_id: 'T0000000000',
        event_id: `Ev${id}`,
        event_time: seconds,
        event: inner,
      };
    }
    case 'stripe': {
      const object = { id: 'pi_sample', object: 'payment_intent', amount: 2000, currency: 'usd' };
      return {
        id: `evt_${id}`,
        object: 'event',
        type: event,
        created: seconds,
        livemode: false,
        data: { object },
      };
    }
    case 'gitlab': {
      const project = { id: 1, name: 'sample', path_with_namespace: 'group/sample', default_branch: 'main' };
      return { object_kind: event, ref: 'refs/heads/main', user_username: 'sample', project, commits: [] };
    }
    case 'microsoft': {
      const resource = 'users/sample/messages/1';
      return { value: [{ subscriptionId: id, clientState: secret, changeType: event, resource }] };
    }
    case 'standard':
      return { type: event, timestamp: new Date(now).toISOString(), data: { id } };
    case 'bearer':
    case 'basic':
    case 'header':
      return { type: event, message: 'Sample' };
  }
}

interface Signing {
  readonly event: string;
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly now: number;
}

function sign(scheme: ReceiverScheme, { event, id, body, secret, now }: Signing): Record<string, string> {
  const bytes = Buffer.from(body);
  const timestamp = String(Math.floor(now / 1000));
  switch (scheme) {
    case 'platform':
      return { 'x-platform-event': event, 'x-platform-delivery': id, ...signBody(bytes, secret) };
    case 'standard': {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${secret}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
    case 'header':
      return Object.fromEntries([splitHeaderSecret(secret)]);
    case 'slack':
      return {
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signSlack(bytes, timestamp, secret),
      };
    case 'stripe':
      return { 'stripe-signature': `t=${timestamp},v1=${signStripe(bytes, timestamp, secret)}` };
    case 'microsoft':
      return {};
    case 'gitlab':
      return { 'x-gitlab-event': event, 'x-gitlab-event-uuid': id, 'x-gitlab-token': secret };
  }
}

/** Time limit of the request, in milliseconds. */
const timeoutMs = 10_000;

/** Sends a sample. Throws `conflict` if the server cannot be reached. */
export async function sendSample(
  url: string,
  { method, headers, body }: Sample,
  clock: Pick<Clock, 'after'>,
): Promise<{ readonly status: number; readonly body: string }> {
  const abort = new AbortController();
  const stop = clock.after(timeoutMs, () => abort.abort());
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: abort.signal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new AppError('conflict', `Cannot reach ${url}: ${getErrorMessage(cause)}`, { cause: error });
  } finally {
    stop();
  }
}
