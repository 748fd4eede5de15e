import { equalBytes, findSecret } from './equal-bytes.ts';
import { refuse, type Verdict } from './verdict.ts';

/** Verifies an `Authorization: Bearer …` header (RFC 6750, section 2.1) against the secrets. */
export function verifyBearer(authorization: string | undefined, secrets: readonly string[]): Verdict {
  if (authorization === undefined) return refuse('There is no Authorization header.');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return refuse('The Authorization header is not of the form "Bearer <token>".');
  const given = Buffer.from(token, 'utf8');
  const secret = findSecret(secrets, (one) => equalBytes(Buffer.from(one, 'utf8'), given));
  return secret >= 0
    ? { verified: true, by: 'bearer', secret }
    : refuse('The token is not the one of this receiver.');
}
