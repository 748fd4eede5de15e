import { createHash, timingSafeEqual, createHmac } from 'node:crypto';

/** Result of a signature check, with a message for people. */
export type VerificationResult =
  | {
      readonly verified: true;
      /** The verification method. */
      readonly by:
        | 'sha256'
        | 'sha1'
        | 'standard'
        | 'bearer'
        | 'slack'
        | 'stripe'
        | 'gitlab'
        | 'microsoft'
        | 'basic'
        | 'header';
      /** Index of the matching secret, from 0; during a rotation there are two. */
      readonly secret: number;
    }
  | {
      readonly verified: false;
      /** Error message without any secret or expected digest. */
      readonly reason: string;
    };

/** Returns a failed result. */
const failedVerification = (reason: string): VerificationResult => ({ verified: false, reason });

/** Compares bytes in constant time, independent of content and length. */
function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Returns the index of the first matching secret, or -1. Always checks all, so that the time does not reveal which one
 * matched.
 */
function findSecret(secrets: readonly string[], matches: (secret: string) => boolean): number {
  let found = -1;
  secrets.forEach((secret, index) => {
    if (matches(secret) && found === -1) found = index;
  });
  return found;
}

/** Signature headers of a delivery. */
export interface HubSignatures {
  readonly 'X-Hub-Signature': string;
  readonly 'X-Hub-Signature-256': string;
}

type Algorithm = 'sha1' | 'sha256';

/** Signs the exact bytes of a body: HMAC with the UTF-8 bytes of the secret as key, lower-case hex. */
export function signBody(body: Uint8Array, secret: string): HubSignatures {
  return {
    'X-Hub-Signature': `sha1=${digestBody('sha1', body, secret).toString('hex')}`,
    'X-Hub-Signature-256': `sha256=${digestBody('sha256', body, secret).toString('hex')}`,
  };
}

/** Received signature headers; undefined if missing. */
export interface ReceivedSignatures {
  readonly sha256: string | undefined;
  readonly sha1: string | undefined;
}

/**
 * Verifies the raw bytes of a body. SHA-256 is required; SHA-1, which senders support for old receivers, is accepted
 * only with `allowSha1`, and never if there is an invalid SHA-256 signature.
 */
export function verifyHubSignature(
  body: Uint8Array,
  received: ReceivedSignatures,
  secrets: readonly string[],
  options: { readonly allowSha1: boolean },
): VerificationResult {
  if (received.sha256 !== undefined) return verify('sha256', body, received.sha256, secrets);
  if (received.sha1 === undefined) {
    return failedVerification(
      'Missing X-Hub-Signature-256 header: the sender has no secret, or a proxy removed the header.',
    );
  }
  if (!options.allowSha1) {
    return failedVerification('SHA-1 signatures are not accepted by this receiver (`allowSha1`).');
  }
  return verify('sha1', body, received.sha1, secrets);
}

const hexLength: Readonly<Record<Algorithm, number>> = { sha1: 40, sha256: 64 };

function verify(
  algorithm: Algorithm,
  body: Uint8Array,
  header: string,
  secrets: readonly string[],
): VerificationResult {
  const hex = header.startsWith(`${algorithm}=`) ? header.slice(algorithm.length + 1) : '';
  if (hex.length !== hexLength[algorithm] || !/^[0-9a-f]+$/i.test(hex)) {
    return failedVerification(
      `The signature must have the form ${algorithm}=<${hexLength[algorithm]} hex digits>.`,
    );
  }
  const actual = Buffer.from(hex, 'hex');
  // Both have the length of a digest.
  const secret = findSecret(secrets, (one) => timingSafeEqual(digestBody(algorithm, body, one), actual));
  if (secret >= 0) return { verified: true, by: algorithm, secret };
  return failedVerification(
    'The signature does not match: the secret is different, or the body was modified.',
  );
}

/**
 * Computes the HMAC. The secret is passed as a string, which Node encodes as UTF-8; for bytes, Node creates and
 * catches an error on each call.
 */
const digestBody = (algorithm: Algorithm, body: Uint8Array, secret: string): Buffer =>
  createHmac(algorithm, secret).update(body).digest();

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

/** Verifies an `Authorization: Bearer …` header (RFC 6750, section 2.1) against the secrets. */
export function verifyBearer(
  authorization: string | undefined,
  secrets: readonly string[],
): VerificationResult {
  if (authorization === undefined) return failedVerification('Missing Authorization header.');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined)
    return failedVerification('The Authorization header must have the form "Bearer <token>".');
  const received = Buffer.from(token, 'utf8');
  const secret = findSecret(secrets, (one) => equalBytes(Buffer.from(one, 'utf8'), received));
  return secret >= 0
    ? { verified: true, by: 'bearer', secret }
    : failedVerification('Invalid token for this receiver.');
}
