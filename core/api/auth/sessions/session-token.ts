import { randomUUID } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../../base/errors.ts';
import { roles, type Role } from '../../../contract/operation.ts';
import type { SessionSubject } from '../identity.ts';
import type { SigningKeys } from './signing-keys.ts';

const issuer = 'stepwright';

/** Claims of a session token. */
export interface SessionClaims {
  readonly id: string;
  readonly subject: SessionSubject;
  /** Valid only if later than the last time all sessions of the user were ended. Epoch milliseconds. */
  readonly begunAt: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Returns a signed token (RFC 7519, HS256): `sub`, `iat`, `exp`, `jti`, the user name and, for users of a provider,
 * the role; the role of other users is in the user file.
 */
export async function signSession(
  claims: Omit<SessionClaims, 'id'>,
  { keys, now }: { readonly keys: SigningKeys; readonly now: number },
): Promise<string> {
  const { kid, secret } = keys.current();
  const { subject, begunAt, expiresAt } = claims;
  const { username, via, role } = subject;
  return new SignJWT({ username, via, begun: begunAt, ...(via === 'file' ? {} : { role }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setIssuer(issuer)
    .setSubject(subject.id)
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(secret);
}

/**
 * Reads a token and verifies signature and expiry. Resolves with undefined for a token of another issuer; rejects with
 * `unauthorized` for an invalid or expired one.
 */
export async function readSession(
  token: string,
  { keys, now }: { readonly keys: SigningKeys; readonly now: number },
): Promise<SessionClaims | undefined> {
  if (!isIssuedHere(token)) return undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid = '' }) => {
        const key = keys.find(kid);
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key.secret;
      },
      {
        algorithms: ['HS256'],
        issuer,
        requiredClaims: ['sub', 'jti', 'iat', 'exp'],
        currentDate: new Date(now),
      },
    );
    return toClaims(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthorizedError('The session has expired.');
    if (error instanceof errors.JOSEError) throw unauthorizedError('The session is invalid.');
    throw error;
  }
}

function isIssuedHere(token: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/**
 * Returns the claims. The signature is ours, so the claims are those of {@link signSession} in this or another
 * release.
 */
function toClaims(payload: Readonly<Record<string, unknown>>): SessionClaims {
  const { sub, jti, exp, username, via, begun: started } = payload;
  const role = roles.find((candidate) => candidate === payload['role']) ?? ('viewer' satisfies Role);
  if (typeof username !== 'string' || typeof started !== 'number' || (via !== 'file' && via !== 'oidc'))
    throw unauthorizedError('The session was created by another release.');
  return {
    id: String(jti),
    subject: { id: String(sub), username, via, role },
    begunAt: started,
    expiresAt: Number(exp) * 1000,
  };
}

export const unauthorizedError = (why: string): AppError =>
  new AppError('unauthorized', `${why} Sign in again.`);
