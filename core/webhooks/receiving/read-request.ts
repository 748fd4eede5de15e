import { isUtf8 } from 'node:buffer';
import {
  type JsonObject,
  formatExceededJsonLimit,
  findExceededJsonLimit,
  explainInvalidJson,
} from '../../base/json.ts';
import type { Receiver } from '../../store/types/receivers.ts';
import { stripBom } from '../../base/text.ts';
import { verifiesBody } from '../../model/webhook.ts';
import { verifyBearer, verifyHubSignature, verifyStandard, type VerificationResult } from '../signature.ts';
import {
  splitHeaderSecret,
  verifyBasic,
  verifyGitLab,
  verifyHeader,
  verifyMicrosoft,
  verifySlack,
  verifyStripe,
  isEqual,
} from './service-signatures.ts';

/** Headers of a request, with names in lower case; the first of several values is used. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the currently valid secrets of a receiver. */
export const secretsAt = ({ secrets }: Pick<Receiver, 'secrets'>, now: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > now).map(({ value }) => value);

/** Verifies the raw bytes of a request by the receiver's scheme. */
export function verifyRequest(
  receiver: Pick<Receiver, 'scheme' | 'secrets' | 'allowSha1'>,
  headers: RequestHeaders,
  body: Buffer,
  now: number,
): VerificationResult {
  const secrets = secretsAt(receiver, now);
  switch (receiver.scheme) {
    case 'platform': {
      const received = {
        sha256: firstValue(headers, 'x-hub-signature-256'),
        sha1: firstValue(headers, 'x-hub-signature'),
      };
      return verifyHubSignature(body, received, secrets, receiver);
    }
    case 'standard': {
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        firstValue(headers, `webhook-${name}`),
      );
      return verifyStandard(body, { id, timestamp, signature }, secrets, now);
    }
    case 'bearer':
      return verifyBearer(firstValue(headers, 'authorization'), secrets);
    case 'slack': {
      const signature = firstValue(headers, 'x-slack-signature');
      return verifySlack(
        body,
        { signature, timestamp: firstValue(headers, 'x-slack-request-timestamp') },
        secrets,
        now,
      );
    }
    case 'stripe':
      return verifyStripe(body, firstValue(headers, 'stripe-signature'), secrets, now);
    case 'gitlab':
      return verifyGitLab(firstValue(headers, 'x-gitlab-token'), secrets);
    case 'microsoft':
      return verifyMicrosoft(body, secrets);
    case 'basic':
      return verifyBasic(firstValue(headers, 'authorization'), secrets);
    case 'header':
      return verifyHeader((name) => firstValue(headers, name), secrets);
  }
}

/** Delivery data in headers. */
export interface DeliveryHeaders {
  readonly deliveryId: string | undefined;
  readonly hookId: string | undefined;
  readonly event: string | undefined;
}

/** Prefixes of header names: Stepwright's, then GitHub's. */
const senders = ['x-platform', 'x-github'];

/** Maximum length of an id or name. */
const maxLength = 200;

/** Reads the delivery id and event name. A Standard Webhooks message has its event in the payload. */
export function parseDeliveryHeaders(
  { scheme }: Pick<Receiver, 'scheme'>,
  headers: RequestHeaders,
  payload?: JsonObject,
): DeliveryHeaders {
  const named = (name: string): string | undefined =>
    senders.map((sender) => firstValue(headers, `${sender}-${name}`)).find((value) => value !== undefined);
  const type = payload?.['type'];
  const typed = typeof type === 'string' ? clip(type) : undefined;
  const isStandard = scheme === 'standard';
  const fromService = readServiceFields(scheme, headers, payload);
  if (fromService !== undefined)
    return { deliveryId: clip(fromService.deliveryId), hookId: undefined, event: clip(fromService.event) };
  return {
    deliveryId: clip(isStandard ? firstValue(headers, 'webhook-id') : named('delivery')),
    hookId: clip(named('hook-id')),
    event: isStandard ? typed : (clip(named('event')) ?? (scheme === 'platform' ? undefined : typed)),
  };
}

/** Where Slack, Stripe, GitLab and Microsoft put the event and an ID that stays the same when they retry. */
function readServiceFields(
  scheme: Receiver['scheme'],
  headers: RequestHeaders,
  payload: JsonObject = {},
): { readonly deliveryId: string | undefined; readonly event: string | undefined } | undefined {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  switch (scheme) {
    case 'slack': {
      const { event, type, command, event_id: id } = payload;
      const inner = typeof event === 'object' && event !== null && !Array.isArray(event) ? event : {};
      return { deliveryId: text(id), event: text(inner['type']) ?? text(command) ?? text(type) };
    }
    case 'stripe':
      return { deliveryId: text(payload['id']), event: text(payload['type']) };
    case 'gitlab':
      return {
        deliveryId: firstValue(headers, 'idempotency-key') ?? firstValue(headers, 'x-gitlab-event-uuid'),
        event: text(payload['object_kind']) ?? firstValue(headers, 'x-gitlab-event'),
      };
    case 'microsoft': {
      const [first] = Array.isArray(payload['value']) ? payload['value'] : [];
      const { changeType, lifecycleEvent } = (first ?? {}) as JsonObject;
      return { deliveryId: undefined, event: text(changeType) ?? text(lifecycleEvent) };
    }
    default:
      return undefined;
  }
}

const clip = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text.slice(0, maxLength);

function firstValue(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Headers with credentials. */
const hidden = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-gitlab-token']);

/** Returns headers without credentials, for storage and display. */
export function redactHeaders(
  headers: RequestHeaders,
  { scheme, secrets }: Pick<Receiver, 'scheme' | 'secrets'>,
): Record<string, string> {
  const retained: Record<string, string> = {};
  const own = scheme === 'header' ? secrets.map(({ value }) => splitHeaderSecret(value)[0]) : [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    retained[name] = hidden.has(name) || own.includes(name) ? '********' : [value].flat().join(', ');
  }
  return retained;
}

/** The payload of a body, or an error. */
export type ReadPayload =
  | { readonly payload: JsonObject; readonly text: string }
  | { readonly problem: 'type' | 'content'; readonly reason: string };

/** Maximum nesting of arrays and objects; deeper ones could not be serialized again. */
const maxDepth = 128;

/**
 * Parses a verified body: JSON, or a form with JSON in its only field `payload`. The form of a Slack slash command has
 * no such field; its fields are the payload.
 */
export function readPayload(
  body: Buffer,
  contentType: string | undefined,
  scheme?: Receiver['scheme'],
): ReadPayload {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    return { problem: 'type', reason: `Unsupported charset ${charset.slice(0, 40)}. Use UTF-8.` };
  const name = type.trim();
  if (name === 'application/x-www-form-urlencoded') return readForm(body, scheme);
  if (name === 'application/json' || /^application\/[\w.-]+\+json$/.test(name)) return readJson(body);
  return {
    problem: 'type',
    reason:
      name === ''
        ? 'Missing Content-Type header. Use application/json or application/x-www-form-urlencoded.'
        : `Unsupported Content-Type ${name.slice(0, 80)}. Use application/json or application/x-www-form-urlencoded.`,
  };
}

function readForm(body: Buffer, scheme: Receiver['scheme'] | undefined): ReadPayload {
  const fields = new URLSearchParams(body.toString('latin1'));
  const payload = fields.get('payload');
  if (payload === null && scheme === 'slack') return readText(JSON.stringify(Object.fromEntries(fields)));
  if (payload === null) return { problem: 'content', reason: 'The form has no field "payload".' };
  return readText(payload);
}

function readJson(body: Buffer): ReadPayload {
  if (!isUtf8(body)) return { problem: 'content', reason: 'The body is not valid UTF-8.' };
  return readText(body.toString('utf8'));
}

const tooDeep: ReadPayload = {
  problem: 'content',
  reason: `The payload is nested more than ${maxDepth} levels deep.`,
};

function readText(text: string): ReadPayload {
  const excess = findExceededJsonLimit(text);
  if (excess === 'levels') return tooDeep;
  if (excess !== undefined)
    return { problem: 'content', reason: `The payload ${formatExceededJsonLimit(excess)}.` };
  let payload: unknown;
  try {
    // Some clients send a byte order mark, which is not part of JSON (RFC 8259, 8.1).
    payload = JSON.parse(stripBom(text));
  } catch {
    return { problem: 'content', reason: `Invalid JSON in the payload: ${explainInvalidJson(text)}.` };
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return { problem: 'content', reason: 'The payload is not a JSON object.' };
  if (isDeeper(payload, maxDepth)) return tooDeep;
  return { payload: payload as JsonObject, text };
}

/** Whether nesting exceeds the specified number of levels; does not recurse deeper. */
function isDeeper(container: object, levels: number): boolean {
  if (levels === 0) return true;
  const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  return values.some((value) => typeof value === 'object' && value !== null && isDeeper(value, levels - 1));
}

/** Request line and headers. */
export interface RequestHead {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
}

/** Response to a request by which a service verifies the URL. */
export interface HandshakeAnswer {
  readonly type: 'text/plain' | 'application/json';
  readonly body: string;
}

const toText = (body: string): HandshakeAnswer => ({ type: 'text/plain', body });
const toJson = (value: JsonObject): HandshakeAnswer => ({
  type: 'application/json',
  body: JSON.stringify(value),
});

/**
 * Answers services that verify the URL by its query, without a signature: Meta and WebSub with `hub.challenge`, for
 * which the verify token is the receiver's ID, and Microsoft Graph with `validationToken`.
 * @returns the reason if the verify token is wrong; undefined for other requests
 */
export function answerUrlCheck(
  { id, scheme }: Pick<Receiver, 'id' | 'scheme'>,
  { method, query }: RequestHead,
): HandshakeAnswer | { readonly reason: string } | undefined {
  const validation = query.get('validationToken');
  if (scheme === 'microsoft' && method === 'POST' && validation !== null) return toText(validation);
  const challenge = query.get('hub.challenge');
  if (scheme !== 'platform' || method !== 'GET' || challenge === null) return undefined;
  const isToken = isEqual(query.get('hub.verify_token') ?? '', id);
  if (isToken && query.get('hub.mode') === 'subscribe') return toText(challenge);
  return {
    reason: isToken
      ? 'hub.mode must be subscribe.'
      : 'hub.verify_token does not match. Enter the last part of the URL as the verify token.',
  };
}

const oktaHeader = 'x-okta-verification-challenge';

/** Whether a receiver allows the method of a request. Okta verifies the URL with GET also if only POST is allowed. */
export const allowsMethod = (
  { methods, scheme }: Pick<Receiver, 'methods' | 'scheme'>,
  { method, headers }: RequestHead,
): boolean =>
  methods.some((allowed) => allowed === method) ||
  (method === 'GET' && !verifiesBody(scheme) && oktaHeader in headers);

/** Answers services whose verification of the URL is authenticated like a delivery: Slack and Okta. */
export function answerVerifiedCheck(
  { scheme }: Pick<Receiver, 'scheme'>,
  { method, headers, payload }: Omit<RequestHead, 'query'> & { readonly payload: JsonObject },
): HandshakeAnswer | undefined {
  const okta = headers[oktaHeader];
  if (method === 'GET' && typeof okta === 'string') return toJson({ verification: okta });
  if (scheme !== 'slack' || payload['type'] !== 'url_verification') return undefined;
  const { challenge } = payload;
  return typeof challenge === 'string' ? toJson({ challenge }) : undefined;
}

/**
 * Headers that permit deliveries of a service, which asks with OPTIONS as in HTTP Webhooks for CloudEvents, for example
 * Azure Event Grid. Undefined for other requests.
 */
export function permitSender({ method, headers }: RequestHead): Record<string, string> | undefined {
  const origin = headers['webhook-request-origin'];
  if (method !== 'OPTIONS' || typeof origin !== 'string') return undefined;
  return { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' };
}
