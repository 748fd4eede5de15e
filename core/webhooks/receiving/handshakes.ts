import type { JsonObject } from '../../base/json.ts';
import { verifiesBody } from '../../model/webhook-receiver.ts';
import type { Receiver } from '../../store/types/receivers.ts';
import type { RequestHeaders } from './read-request.ts';
import { isEqual } from './service-signatures.ts';

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
