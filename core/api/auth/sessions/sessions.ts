import Type from 'typebox';
import type { Clock } from '../../../base/clock.ts';
import type { AuthSettings, AuthPaths } from '../settings.ts';
import type {
  Credentials,
  Identity,
  IssuedSession,
  SessionIssuer,
  SessionSubject,
  Verifier,
} from '../identity.ts';
import type { Users } from '../users.ts';
import { JsonFile } from '../../../store/json-file.ts';
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
    const begunAt = Math.max(now, this.#getSessionsEndedAt(subject) + 1);
    return { token: await signSession({ subject, begunAt, expiresAt }, { keys, now }), expiresAt };
  }

  /** Rejects with `unauthorized` for an ended session. */
  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme === 'basic') return undefined;
    const { keys, clock, ended } = this.#deps;
    const claims = await readSession(credentials.token, { keys, now: clock.now() });
    if (claims === undefined) return undefined;
    const subject = this.#currentSubject(claims);
    const isOver = ended.has(claims.id) || claims.begunAt <= this.#getSessionsEndedAt(claims.subject);
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
  endUserSessions(userId: string): void {
    const { users, ended, clock, settings } = this.#deps;
    if (users.find(userId)) users.endSessions(userId);
    else ended.endUserSessions(userId, clock.now() + settings.builtin.tokenTtl * 1000);
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

  #getSessionsEndedAt({ id, via }: SessionSubject): number {
    const { users, ended } = this.#deps;
    return via === 'file' ? (users.find(id)?.sessionsEndedAt ?? 0) : ended.getSessionsEndedAt(id);
  }
}

/** Tracks sessions that ended early, until they would have expired. */
export class EndedSessions {
  readonly #file: SessionFile;
  readonly #clock: Clock;

  constructor(deps: { readonly file: SessionFile; readonly clock: Clock }) {
    this.#file = deps.file;
    this.#clock = deps.clock;
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

/** Sessions that ended early. Times are epoch milliseconds; expired entries are removed. */
const SessionFileContent = Type.Object({
  version: Type.Literal(1),
  ended: Type.Array(Type.Object({ id: Type.String(), until: Type.Number() })),
  /** Users of a provider: sessions started at or before `at` have ended. */
  endedOf: Type.Array(Type.Object({ userId: Type.String(), at: Type.Number(), until: Type.Number() })),
});

type SessionFile = JsonFile<typeof SessionFileContent>;

export const openSessionFile = ({ sessions, lock }: AuthPaths): SessionFile =>
  new JsonFile({
    file: sessions,
    lock,
    schema: SessionFileContent,
    empty: { version: 1, ended: [], endedOf: [] },
    what: 'session file',
    remedy: 'Delete it together with auth.key in the same folder; all users must sign in again.',
  });
