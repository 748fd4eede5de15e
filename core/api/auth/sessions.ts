import { randomUUID } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../base/errors.ts';
import { roles, type Role } from '../../contract/operation.ts';
import type { Clock } from '../../base/clock.ts';
import { JsonFile } from '../../store/json-file.ts';
import type {
  SessionSubject,
  Credentials,
  Identity,
  IssuedSession,
  Verifier,
  AuthSettings,
  AuthPaths,
} from './identity.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Users } from './users.ts';

const issuer = 'stepwright';

/** Claims of a session token. */
interface SessionClaims {
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
async function signSession(
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
async function readSession(
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

const unauthorizedError = (why: string): AppError => new AppError('unauthorized', `${why} Sign in again.`);

/** Creates, verifies and ends sessions. */
export class Sessions implements Verifier {
  readonly #settings: AuthSettings;
  readonly #users: Users;
  readonly #keys: SigningKeys;
  readonly #ended: EndedSessions;
  readonly #clock: Clock;

  constructor(settings: AuthSettings, users: Users, keys: SigningKeys, ended: EndedSessions, clock: Clock) {
    this.#settings = settings;
    this.#users = users;
    this.#keys = keys;
    this.#ended = ended;
    this.#clock = clock;
  }

  async issueSession(subject: SessionSubject): Promise<IssuedSession> {
    const now = this.#clock.now();
    // Tokens use whole seconds.
    const expiresAt = (Math.floor(now / 1000) + this.#settings.builtin.tokenTtl) * 1000;
    const begunAt = Math.max(now, this.#getSessionsEndedAt(subject) + 1);
    return {
      token: await signSession({ subject, begunAt, expiresAt }, { keys: this.#keys, now }),
      expiresAt,
    };
  }

  /** Rejects with `unauthorized` for an ended session. */
  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme === 'basic') return undefined;
    const claims = await readSession(credentials.token, { keys: this.#keys, now: this.#clock.now() });
    if (claims === undefined) return undefined;
    const subject = this.#currentSubject(claims);
    const isOver = this.#ended.has(claims.id) || claims.begunAt <= this.#getSessionsEndedAt(claims.subject);
    if (subject === undefined || isOver) throw unauthorizedError('The session has ended.');
    const { id, username, role } = subject;
    const { expiresAt } = claims;
    return {
      name: username,
      role,
      user: { id, username },
      credential: { kind: 'session', id: claims.id, expiresAt },
    };
  }

  /** Ends one session. */
  end({ id, expiresAt }: { readonly id: string; readonly expiresAt: number }): void {
    this.#ended.end(id, expiresAt);
  }

  /** Ends all sessions of a user. */
  endUserSessions(userId: string): void {
    if (this.#users.find(userId)) this.#users.endSessions(userId);
    else this.#ended.endUserSessions(userId, this.#clock.now() + this.#settings.builtin.tokenTtl * 1000);
  }

  /**
   * Returns the current user from the user file, or a provider's user from the token. Sessions of another
   * authentication mode are invalid.
   */
  #currentSubject({
    subject,
  }: SessionClaims): { id: string; username: string; role: Identity['role'] } | undefined {
    const { mode } = this.#settings;
    if (subject.via === 'file') return mode === 'builtin' ? this.#users.find(subject.id) : undefined;
    return mode === 'oidc' ? subject : undefined;
  }

  #getSessionsEndedAt({ id, via }: SessionSubject): number {
    return via === 'file' ? (this.#users.find(id)?.sessionsEndedAt ?? 0) : this.#ended.getSessionsEndedAt(id);
  }
}

/** Tracks sessions that ended early, until they would have expired. */
export class EndedSessions {
  readonly #file: SessionFile;
  readonly #clock: Clock;

  constructor(file: SessionFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  has(id: string): boolean {
    return this.#file.read().ended.some((session) => session.id === id);
  }

  /** @param until expiry of the session, epoch milliseconds */
  end(id: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const ended = content.ended.filter((session) => session.until > now && session.id !== id);
      return { content: { ...content, ended: [...ended, { id, until }] }, result: undefined };
    });
  }

  /** Returns the time up to which all sessions of a provider's user have ended; 0 for none. */
  getSessionsEndedAt(userId: string): number {
    return this.#file.read().endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
  }

  /** @param until latest expiry of these sessions, epoch milliseconds */
  endUserSessions(userId: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const before = content.endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
      const others = content.endedOf.filter((entry) => entry.until > now && entry.userId !== userId);
      const endedOf = [...others, { userId, at: Math.max(now, before + 1), until }];
      return { content: { ...content, endedOf }, result: undefined };
    });
  }
}

type SessionFile = JsonFile<'sessions'>;

export const openSessionFile = ({ sessions, lock }: AuthPaths): SessionFile =>
  new JsonFile({
    file: sessions,
    lock,
    kind: 'sessions',
    empty: { version: 1, ended: [], endedOf: [] },
    what: 'session file',
    remedy: 'Delete it together with auth.key in the same folder; all users must sign in again.',
  });
