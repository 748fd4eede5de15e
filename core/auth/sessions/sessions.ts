import type { Clock } from '../../base/clock.ts';
import type { AuthSettings } from '../settings.ts';
import type {
  Credentials,
  Identity,
  IssuedSession,
  SessionIssuer,
  SessionSubject,
  Verifier,
} from '../identity.ts';
import type { Users } from '../users/users.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { readSession, unauthorizedError, signSession, type SessionClaims } from './session-token.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Dependencies of sessions. */
export interface SessionDeps {
  readonly settings: AuthSettings;
  readonly users: Users;
  readonly keys: SigningKeys;
  readonly ended: EndedSessions;
  readonly clock: Clock;
}

/** Creates, verifies and ends sessions. */
export class Sessions implements SessionIssuer, Verifier {
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  async issueSession(subject: SessionSubject): Promise<IssuedSession> {
    const { keys, clock, settings } = this.#deps;
    const now = clock.now();
    // Tokens use whole seconds.
    const expiresAt = (Math.floor(now / 1000) + settings.builtin.tokenTtl) * 1000;
    const begunAt = Math.max(now, this.#sessionsEndedAtOf(subject) + 1);
    return { token: await signSession({ subject, begunAt, expiresAt }, { keys, now }), expiresAt };
  }

  /** Rejects with `unauthorized` for an ended session. */
  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme === 'basic') return undefined;
    const { keys, clock, ended } = this.#deps;
    const claims = await readSession(credentials.token, { keys, now: clock.now() });
    if (claims === undefined) return undefined;
    const subject = this.#currentSubject(claims);
    const isOver = ended.has(claims.id) || claims.begunAt <= this.#sessionsEndedAtOf(claims.subject);
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
    this.#deps.ended.end(id, expiresAt);
  }

  /** Ends all sessions of a user. */
  endSessionsOfUser(userId: string): void {
    const { users, ended, clock, settings } = this.#deps;
    if (users.find(userId)) users.endSessions(userId);
    else ended.endSessionsOfUser(userId, clock.now() + settings.builtin.tokenTtl * 1000);
  }

  /**
   * Returns the current user from the user file, or a provider's user from the token. Sessions of another
   * authentication mode are invalid.
   */
  #currentSubject({
    subject,
  }: SessionClaims): { id: string; username: string; role: Identity['role'] } | undefined {
    const { mode } = this.#deps.settings;
    if (subject.via === 'file') return mode === 'builtin' ? this.#deps.users.find(subject.id) : undefined;
    return mode === 'oidc' ? subject : undefined;
  }

  #sessionsEndedAtOf({ id, via }: SessionSubject): number {
    const { users, ended } = this.#deps;
    return via === 'file' ? (users.find(id)?.sessionsEndedAt ?? 0) : ended.sessionsEndedAtOf(id);
  }
}
