import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { findExceededJsonLimit } from '../../base/json.ts';
import type { VerificationResult } from '../signature.ts';

/** Maximum time difference of a signed request in seconds, as in the documentation of Slack and Stripe. */
const toleranceSec = 300;

const failed = (reason: string): VerificationResult => ({ verified: false, reason });

const mismatch = 'The signature does not match: the secret is different, or the body was modified.';

type ServiceScheme = Extract<VerificationResult, { verified: true }>['by'];

const hmacHex = (secret: string, ...parts: readonly (string | Uint8Array)[]): string => {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
};

/** Compares in constant time, independent of content and length. */
export const isEqual = (a: string, b: string): boolean => timingSafeEqual(hash(a), hash(b));

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares with all secrets, so that the time does not reveal which one matched. */
function verifyAny(
  by: ServiceScheme,
  secrets: readonly string[],
  matches: (secret: string) => boolean,
  reason: string,
): VerificationResult {
  const secret = secrets.map((one) => matches(one)).indexOf(true);
  return secret < 0 ? failed(reason) : { verified: true, by, secret };
}

/** Returns the reason if a timestamp is not within the tolerance, which prevents replay attacks. */
function findTimeProblem(timestamp: string, now: number): string | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return 'The timestamp of the signature is not a number of seconds.';
  const distance = now / 1000 - Number(timestamp);
  if (Math.abs(distance) <= toleranceSec) return undefined;
  return `The request is more than ${toleranceSec / 60} minutes too ${distance > 0 ? 'old' : 'new'}: it was replayed, or a clock is wrong.`;
}

/** Signs a body as Slack does. @param timestamp in seconds */
export const signSlack = (body: Uint8Array, timestamp: string, secret: string): string =>
  `v0=${hmacHex(secret, `v0:${timestamp}:`, body)}`;

/** Verifies `X-Slack-Signature` and `X-Slack-Request-Timestamp`. */
export function verifySlack(
  body: Uint8Array,
  {
    signature,
    timestamp,
  }: { readonly signature?: string | undefined; readonly timestamp?: string | undefined },
  secrets: readonly string[],
  now: number,
): VerificationResult {
  if (signature === undefined || timestamp === undefined)
    return failed('Missing header: X-Slack-Signature and X-Slack-Request-Timestamp are required.');
  const problem = findTimeProblem(timestamp, now);
  if (problem !== undefined) return failed(problem);
  return verifyAny(
    'slack',
    secrets,
    (secret) => isEqual(signSlack(body, timestamp, secret), signature),
    mismatch,
  );
}

/** Signs a body as Stripe does. @param timestamp in seconds */
export const signStripe = (body: Uint8Array, timestamp: string, secret: string): string =>
  hmacHex(secret, `${timestamp}.`, body);

/** Verifies `Stripe-Signature: t=…,v1=…`, which has several signatures while Stripe rotates a secret. */
export function verifyStripe(
  body: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  now: number,
): VerificationResult {
  if (header === undefined) return failed('Missing Stripe-Signature header.');
  const fields = header.split(',').map((field) => field.trim().split('=', 2) as [string, string?]);
  const timestamp = fields.find(([name]) => name === 't')?.[1];
  const signatures = fields.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []));
  if (timestamp === undefined || signatures.length === 0)
    return failed('The Stripe-Signature header must have the form t=<seconds>,v1=<signature>.');
  const problem = findTimeProblem(timestamp, now);
  if (problem !== undefined) return failed(problem);
  return verifyAny(
    'stripe',
    secrets,
    (secret) => {
      const expected = signStripe(body, timestamp, secret);
      return signatures.map((one) => isEqual(expected, one)).includes(true);
    },
    mismatch,
  );
}

/** Verifies the secret token of GitLab in `X-Gitlab-Token`. */
export function verifyGitLab(token: string | undefined, secrets: readonly string[]): VerificationResult {
  if (token === undefined) return failed('Missing X-Gitlab-Token header: the webhook has no secret token.');
  return verifyAny('gitlab', secrets, (secret) => isEqual(secret, token), 'Invalid token for this receiver.');
}

/**
 * Verifies the notifications of Microsoft Graph, which are not signed: each repeats the `clientState` of its
 * subscription. The body may be invalid JSON.
 */
export function verifyMicrosoft(body: Uint8Array, secrets: readonly string[]): VerificationResult {
  const states = readClientStates(Buffer.from(body).toString('utf8'));
  if (states.length === 0)
    return failed('Missing clientState: each notification in `value` must have that of its subscription.');
  const matches = (secret: string): boolean =>
    states.map((state) => isEqual(secret, state)).every((isMatch) => isMatch);
  return verifyAny('microsoft', secrets, matches, 'Invalid clientState for this receiver.');
}

/** Returns the `clientState` of each notification; empty if one is missing. */
function readClientStates(text: string): string[] {
  if (findExceededJsonLimit(text) !== undefined) return [];
  try {
    const { value } = JSON.parse(text) as { readonly value?: unknown };
    const states = (Array.isArray(value) ? (value as unknown[]) : []).map(
      (notification) => (notification as { readonly clientState?: unknown } | null)?.clientState,
    );
    const known = states.filter((state) => typeof state === 'string');
    return known.length === states.length ? known : [];
  } catch {
    return [];
  }
}

/** Verifies basic authentication (RFC 7617). Secrets have the form `user:password`. */
export function verifyBasic(
  authorization: string | undefined,
  secrets: readonly string[],
): VerificationResult {
  if (authorization === undefined) return failed('Missing Authorization header.');
  const encoded = /^Basic +(\S+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    return failed('The Authorization header must have the form "Basic <credentials>".');
  const received = Buffer.from(encoded, 'base64').toString('utf8');
  return verifyAny(
    'basic',
    secrets,
    (secret) => isEqual(secret, received),
    'Invalid user or password for this receiver.',
  );
}

/** Splits the secret of a receiver with the scheme `header`: `X-Api-Key: value`. */
export function splitHeaderSecret(secret: string): readonly [name: string, value: string] {
  const colon = secret.indexOf(':');
  return [secret.slice(0, colon).trim().toLowerCase(), secret.slice(colon + 1).trim()];
}

/** Verifies a header with a fixed value. Secrets have the form `X-Api-Key: value`. */
export function verifyHeader(
  read: (name: string) => string | undefined,
  secrets: readonly string[],
): VerificationResult {
  const pairs = secrets.map(splitHeaderSecret);
  if (pairs.every(([name]) => read(name) === undefined))
    return failed(`Missing ${pairs[0]?.[0] ?? 'secret'} header.`);
  return verifyAny(
    'header',
    secrets,
    (secret) => {
      const [name, value] = splitHeaderSecret(secret);
      return isEqual(value, read(name) ?? '');
    },
    'Invalid header value for this receiver.',
  );
}
