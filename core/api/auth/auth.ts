import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuthMode, LoginKindView } from '../../contract/accounts.ts';
import {
  authPaths,
  getRealm,
  requiresAuthentication,
  type AuthSettings,
  type Credentials,
  type Identity,
  type IssuedSession,
  type SessionSubject,
  type Verifier,
} from './identity.ts';
import { Authenticator, BasicVerifier, ConfiguredVerifier, TokenVerifier } from './verifiers.ts';
import { LoginThrottle } from './login-throttle.ts';
import { OpaqueTokenVerifier } from './oidc/opaque-token.ts';
import { Provider } from './oidc/provider.ts';
import { OidcTokenVerifier } from './oidc/token-verifier.ts';
import { type PasswordCost, PasswordLogin, Passwords } from './passwords.ts';
import { EndedSessions, openSessionFile, Sessions } from './sessions.ts';
import { openKeyFile, SigningKeys } from './signing-keys.ts';
import { ApiTokens, type ApiToken, openTokenFile } from './api-tokens.ts';
import { openUserFile, Users, type User } from './users.ts';

export interface AuthOptions {
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the data directory. Default: in the home. */
  readonly dataDir?: string;
  readonly settings: AuthSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Password hash cost; tests use a low one. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** A login by name and password. */
export interface LoginResult extends IssuedSession {
  readonly user: User;
}

/** Authentication of a home: its users, tokens and sessions. Files are read on demand. */
export class Auth {
  readonly settings: AuthSettings;
  /** Absolute path. */
  readonly home: string;
  /** Short name of the home, for cookies, which several servers on a machine share. */
  readonly realm: string;
  readonly users: Users;
  readonly tokens: ApiTokens;
  /** Set in mode `oidc`. */
  readonly provider: Provider | undefined;
  readonly #sessions: Sessions;
  readonly #login: PasswordLogin;
  readonly #authenticator: Authenticator;
  readonly #logins: (() => LoginKindView)[] = [];

  constructor({ home, dataDir, settings, clock, logger, passwordCost }: AuthOptions) {
    const paths = authPaths(home, dataDir);
    const passwords = new Passwords(passwordCost);
    const throttle = new LoginThrottle(clock);
    this.settings = settings;
    this.home = home;
    this.realm = getRealm(home);
    const users = new Users(openUserFile(paths), passwords, clock);
    const tokens = new ApiTokens(openTokenFile(paths), clock);
    this.users = users;
    this.tokens = tokens;
    const keys = new SigningKeys(openKeyFile(paths), clock);
    const ended = new EndedSessions(openSessionFile(paths), clock);
    this.#sessions = new Sessions(settings, users, keys, ended, clock);
    this.#login = new PasswordLogin(users, throttle);
    this.#authenticator = new Authenticator([
      this.#sessions,
      new TokenVerifier(tokens, users, logger),
      new ConfiguredVerifier(settings, throttle),
      settings.mode === 'builtin' ? new BasicVerifier(this.#login) : rejectUsers(settings),
    ]);
    if (settings.mode === 'builtin') this.addLogin(() => ({ kind: 'password' }));
    this.provider =
      settings.mode === 'oidc' ? new Provider({ settings: settings.oidc, clock, logger }) : undefined;
    if (this.provider) {
      this.addVerifier(new OidcTokenVerifier(this.provider, clock));
      this.addVerifier(new OpaqueTokenVerifier(this.provider, clock, logger));
    }
  }

  get mode(): AuthMode {
    return this.settings.mode;
  }

  /** Whether HTTP callers must authenticate. */
  get isRequired(): boolean {
    return requiresAuthentication(this.settings);
  }

  /** Whether no user exists yet. */
  get needsSetup(): boolean {
    return this.mode === 'builtin' && this.users.list().length === 0;
  }

  /** Adds a credential verifier, used after the others. */
  addVerifier(verifier: Verifier): void {
    this.#authenticator.add(verifier);
  }

  /** Adds a login method; `describe` returns its current state. */
  addLogin(toView: () => LoginKindView): void {
    this.#logins.push(toView);
  }

  /** Returns the login methods with their current state. */
  logins(): LoginKindView[] {
    return this.#logins.map((toView) => toView());
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  authenticate(
    credentials: Credentials,
    from?: { readonly address?: string | undefined },
  ): Promise<Identity> {
    return this.#authenticator.authenticate(credentials, from);
  }

  /**
   * Logs a user in. Rejects with `unauthorized`, `too_many_requests`, or `forbidden` if this server has no password
   * login.
   */
  async login(username: string, password: string, address?: string): Promise<LoginResult> {
    if (this.mode !== 'builtin') throw new AppError('forbidden', formatMissingLogin(this.mode));
    const { id } = await this.#login.verify(username, password, address);
    return this.#begin(this.users.get(id));
  }

  issueSession(subject: SessionSubject): Promise<IssuedSession> {
    return this.#sessions.issueSession(subject);
  }

  /** Ends a session. */
  endSession(session: { readonly id: string; readonly expiresAt: number }): void {
    this.#sessions.end(session);
  }

  /** Ends all sessions of a user. */
  endUserSessions(userId: string): void {
    this.#sessions.endUserSessions(userId);
  }

  /**
   * Changes a user's own password: ends all sessions and starts a new one. Rejects with `forbidden` for a wrong
   * current password, `bad_request` or `too_many_requests`.
   */
  async changePassword(
    userId: string,
    passwords: { readonly current: string; readonly next: string },
    address?: string,
  ): Promise<LoginResult> {
    const { username } = this.users.get(userId);
    await this.#login.verify(username, passwords.current, address).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unauthorized')
        throw new AppError('forbidden', 'The current password is wrong.', {
          details: { field: 'currentPassword' },
        });
      throw error;
    });
    return this.#begin(await this.users.setPassword(userId, passwords.next));
  }

  /** Deletes a user with all tokens, and returns both. Throws `not_found` or `forbidden`. */
  deleteUser(userId: string): { readonly user: User; readonly tokens: readonly ApiToken[] } {
    const user = this.users.delete(userId);
    return { user, tokens: this.tokens.deleteByOwner(userId) };
  }

  async #begin(user: User): Promise<LoginResult> {
    const { id, username, role } = user;
    return { ...(await this.issueSession({ id, username, role, via: 'file' })), user };
  }
}

/** Explains that password logins are not supported, instead of reporting valid credentials of another mode as wrong. */
const rejectUsers = ({ mode, basic }: AuthSettings): Verifier => ({
  verify({ scheme }) {
    if (scheme !== 'basic' || basic.username !== undefined) return Promise.resolve(undefined);
    const message = `${formatMissingLogin(mode)} Programs send "Authorization: Bearer TOKEN".`;
    return Promise.reject(new AppError('unauthorized', message));
  },
});

const formatMissingLogin = (mode: AuthMode): string =>
  mode === 'oidc'
    ? 'Users of this server sign in with the identity provider (AUTH_MODE is oidc), not with a password.'
    : 'This server has no login (AUTH_MODE is none). Set AUTH_MODE=builtin to enable users.';
