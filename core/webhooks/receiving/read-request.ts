import type { JsonObject } from '../../base/json.ts';
import { verifyBearer } from '../signature/bearer-token.ts';
import { verifyHubSignature } from '../signature/hub-signature.ts';
import { verifyStandard } from '../signature/standard-signature.ts';
import type { VerificationResult } from '../signature/verdict.ts';
import type { Receiver } from './ports.ts';

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
      const received = { sha256: one(headers, 'x-hub-signature-256'), sha1: one(headers, 'x-hub-signature') };
      return verifyHubSignature(body, received, secrets, receiver);
    }
    case 'standard': {
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        one(headers, `webhook-${name}`),
      );
      return verifyStandard(body, { id, timestamp, signature }, secrets, now);
    }
    case 'bearer':
      return verifyBearer(one(headers, 'authorization'), secrets);
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
    senders.map((sender) => one(headers, `${sender}-${name}`)).find((value) => value !== undefined);
  const type = payload?.['type'];
  const typed = typeof type === 'string' ? clip(type) : undefined;
  const isStandard = scheme === 'standard';
  return {
    deliveryId: clip(isStandard ? one(headers, 'webhook-id') : named('delivery')),
    hookId: clip(named('hook-id')),
    event: isStandard ? typed : (clip(named('event')) ?? (scheme === 'bearer' ? typed : undefined)),
  };
}

const clip = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text.slice(0, maxLength);

function one(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Headers with credentials. */
const hidden = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** Returns headers without credentials, for storage and display. */
export function redactHeaders(headers: RequestHeaders): Record<string, string> {
  const retained: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    retained[name] = hidden.has(name) ? '********' : [value].flat().join(', ');
  }
  return retained;
}
