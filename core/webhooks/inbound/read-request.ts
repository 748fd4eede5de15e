import type { JsonObject } from '../../base/json.ts';
import { verifyBearer } from '../signature/bearer-token.ts';
import { verifyHubSignature } from '../signature/hub-signature.ts';
import { verifyStandard } from '../signature/standard-signature.ts';
import type { Verdict } from '../signature/verdict.ts';
import type { Receiver } from './ports.ts';

/** Headers of a request, names in lower case; of several with one name the first counts. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The secrets of a receiver that count now. */
export const secretsAt = ({ secrets }: Pick<Receiver, 'secrets'>, now: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > now).map(({ value }) => value);

/** Verifies the raw bytes of a request, as the receiver wants it. */
export function verifyRequest(
  receiver: Pick<Receiver, 'scheme' | 'secrets' | 'allowSha1'>,
  headers: RequestHeaders,
  body: Buffer,
  now: number,
): Verdict {
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

/** What the headers tell of a delivery. */
export interface DeliveryHeads {
  readonly deliveryId: string | undefined;
  readonly hookId: string | undefined;
  readonly event: string | undefined;
}

/** Senders call the same header differently: Stepwright's name, then GitHub's. */
const senders = ['x-platform', 'x-github'];

/** Longest id or name that is taken. */
const longest = 200;

/** Reads which delivery of which event it is; a Standard Webhooks message says the latter in its payload. */
export function readHeads(
  { scheme }: Pick<Receiver, 'scheme'>,
  headers: RequestHeaders,
  payload?: JsonObject,
): DeliveryHeads {
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
  text === undefined || text === '' ? undefined : text.slice(0, longest);

function one(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Headers that hold credentials. */
const hidden = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** Headers as they may be kept and shown. */
export function keepableHeaders(headers: RequestHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    kept[name] = hidden.has(name) ? '********' : [value].flat().join(', ');
  }
  return kept;
}
