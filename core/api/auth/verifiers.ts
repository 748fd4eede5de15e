import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { includesRole, type Role } from '../../contract/operation.ts';
import {
  type Credentials,
  type Identity,
  type Verifier,
  normalizeUsername,
  type AuthSettings,
} from './identity.ts';
import type { PasswordLogin } from './passwords.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { secretPrefix, type ApiToken, type ApiTokens } from './api-tokens.ts';
import type { Users } from './users.ts';

/** Authenticates credentials of any kind. */
export class Authenticator {
  readonly #verifiers: Verifier[];

  /** @param verifiers in the order of use */
  constructor(verifiers: readonly Verifier[]) {
    this.#verifiers = [...verifiers];
  }

  /** Adds a credential verifier, used after the others. */
  add(verifier: Verifier): void {
    this.#verifiers.push(verifier);
  }

  /**
   * Authenticates a request. Rejects with `unauthorized`, with details only for the owner of the credentials, or
   * `too_many_requests`.
   */
  async authenticate(
    credentials: Credentials,
    from: { readonly address?: string | undefined } = {},
  ): Promise<Identity> {
    for (const verifier of this.#verifiers) {
      const identity = await verifier.verify(credentials, from);
      if (identity !== undefined) return identity;
    }
    const what = credentials.scheme === 'basic' ? 'Wrong username or password.' : 'Invalid token.';
    throw new AppError('unauthorized', what);
  }
}

/** Authenticates users of the file by basic authentication, for tools without other support. */
export class BasicVerifier implements Verifier {
  readonly #login: PasswordLogin;

  constructor(login: PasswordLogin) {
    this.#login = login;
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  async verify(
    credentials: Credentials,
    { address }: { readonly address?: string | undefined },
  ): Promise<Identity | undefined> {
    if (credentials.scheme !== 'basic') return undefined;
    const { id, username, role } = await this.#login.verify(
      credentials.username,
      credentials.password,
      address,
    );
    return { name: username, role, user: { id, username }, credential: { kind: 'basic', id } };
  }
}

/** Verifies the configured token and credentials, which have the admin role. */
export class ConfiguredVerifier implements Verifier {
  readonly #settings: AuthSettings;
  readonly #throttle: LoginThrottle;

  constructor(settings: AuthSettings, throttle: LoginThrottle) {
    this.#settings = settings;
    this.#throttle = throttle;
  }

  /** Rejects with `too_many_requests` after wrong passwords for the configured name. */
  async verify(
    credentials: Credentials,
    { address }: { readonly address?: string | undefined },
  ): Promise<Identity | undefined> {
    const { basic, token } = this.#settings;
    if (credentials.scheme !== 'basic') {
      const isRight = token.value !== undefined && timingSafeEqualStrings(credentials.token, token.value);
      return isRight && credentials.scheme === 'bearer' ? administrator('api-token', 'token') : undefined;
    }
    const { username, password } = credentials;
    if (basic.username === undefined || basic.password === undefined) return undefined;
    if (!timingSafeEqualStrings(username, basic.username)) return undefined;
    const attempt = this.#throttle.begin(`configured ${normalizeUsername(username)}`, address);
    if (!timingSafeEqualStrings(password, basic.password)) return undefined;
    attempt.succeed();
    return administrator(username, 'basic');
  }
}

const administrator = (name: string, kind: 'basic' | 'token'): Identity => ({
  name,
  role: 'admin',
  credential: { kind, id: 'configured' },
});

/** Whether the user is from a provider. These are not in the file; their tokens have a fixed role until revoked. */
const isProviderUser = (id: string): boolean => id.startsWith('oidc:');

/** Verifies API tokens. A token is invalid without its owner, and never has a higher role than its owner. */
export class TokenVerifier implements Verifier {
  readonly #tokens: ApiTokens;
  readonly #users: Users;
  readonly #logger: Logger;

  constructor(tokens: ApiTokens, users: Users, logger: Logger) {
    this.#tokens = tokens;
    this.#users = users;
    this.#logger = logger;
  }

  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme !== 'bearer' || !credentials.token.startsWith(secretPrefix)) return undefined;
    const token = this.#tokens.find(credentials.token);
    const identity = token && this.#identify(token);
    if (token && identity) this.#recordUse(token);
    return identity;
  }

  #identify({ id, name, role, owner, expiresAt }: ApiToken): Identity | undefined {
    const credential = { kind: 'token', id, expiresAt } as const;
    if (owner === undefined) return { name: `token "${name}"`, role, credential };
    const user = isProviderUser(owner.id) ? { ...owner, role } : this.#users.find(owner.id);
    if (user === undefined) return undefined;
    return {
      name: `${user.username} (token "${name}")`,
      role: lowerRole(role, user.role),
      user: { id: user.id, username: user.username },
      credential,
    };
  }

  /** Errors are ignored, because a full disk must not prevent reading. */
  #recordUse(token: ApiToken): void {
    try {
      this.#tokens.recordUse(token);
    } catch (error) {
      this.#logger.warn(`cannot record the last use of a token: ${getErrorMessage(error)}`);
    }
  }
}

const lowerRole = (a: Role, b: Role): Role => (includesRole(a, b) ? b : a);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two strings in constant time, independent of content and length. */
const timingSafeEqualStrings = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
