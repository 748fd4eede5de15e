import { equalBytes, findSecret } from './equal-bytes.ts';
import { rejected, type Verdict } from './verdict.ts';

/** Verifies an `Authorization: Bearer …` header (RFC 6750, section 2.1) against the secrets. */
export function verifyBearer(authorization: string | undefined, secrets: readonly string[]): Verdict {
  if (authorization === undefined) return rejected('Missing Authorization header.');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return rejected('The Authorization header must have the form "Bearer <token>".');
  const given = Buffer.from(token, 'utf8');
  const secret = findSecret(secrets, (one) => equalBytes(Buffer.from(one, 'utf8'), given));
  return secret >= 0
    ? { verified: true, by: 'bearer', secret }
    : rejected('Invalid token for this receiver.');
}
