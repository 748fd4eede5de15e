import { createHmac } from 'node:crypto';
import { equalBytes, findSecret } from './equal-bytes.ts';
import { failedVerification, type VerificationResult } from './verdict.ts';

/** Received headers of Standard Webhooks 1.0.0; undefined if missing. */
export interface StandardHeaders {
  /** `webhook-id` */
  readonly id: string | undefined;
  /** `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: string | undefined;
  /** `webhook-signature`: one or more `v1,<base64>`, separated by spaces. */
  readonly signature: string | undefined;
}

/** Maximum time difference of a message in seconds; five minutes as in the Standard Webhooks libraries. */
export const standardToleranceSec = 300;

/** Verifies a message against the secrets and against `now` (epoch milliseconds), which prevents replay attacks. */
export function verifyStandard(
  body: Uint8Array,
  { id, timestamp, signature }: StandardHeaders,
  secrets: readonly string[],
  now: number,
): VerificationResult {
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return failedVerification(
      'Missing header: webhook-id, webhook-timestamp and webhook-signature are required.',
    );
  }
  if (!/^\d{1,12}$/.test(timestamp))
    return failedVerification('The webhook-timestamp header is not a number of seconds.');
  const distance = now / 1000 - Number(timestamp);
  if (Math.abs(distance) > standardToleranceSec) {
    return failedVerification(
      `The message is more than ${standardToleranceSec / 60} minutes too ${distance > 0 ? 'old' : 'new'}: it was replayed, or a clock is wrong.`,
    );
  }
  const received = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  if (received.length === 0)
    return failedVerification('The webhook-signature header has no signature of the form v1,<base64>.');
  const secret = findSecret(secrets, (one) => {
    const expected = digestMessage(id, timestamp, body, one);
    return received.map((bytes) => equalBytes(expected, bytes)).includes(true);
  });
  if (secret >= 0) return { verified: true, by: 'standard', secret };
  return failedVerification(
    'The signature does not match: the secret is different, or the body was modified.',
  );
}

const prefix = 'whsec_';

const digestMessage = (id: string, timestamp: string, body: Uint8Array, secret: string): Buffer =>
  createHmac('sha256', readKey(secret)).update(`${id}.${timestamp}.`).update(body).digest();

/** Returns the key of a secret: base64 after the optional prefix `whsec_`. */
const readKey = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
