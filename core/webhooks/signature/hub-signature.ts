import { createHmac, timingSafeEqual } from 'node:crypto';
import { findSecret } from './equal-bytes.ts';
import { failedVerification, type VerificationResult } from './verdict.ts';

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
