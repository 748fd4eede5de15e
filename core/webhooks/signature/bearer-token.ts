import { equalBytes, findSecret } from './equal-bytes.ts';
import { failedVerification, type VerificationResult } from './verdict.ts';

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
