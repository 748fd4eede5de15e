import { createHash } from 'node:crypto';
import path from 'node:path';
import type { CredentialKind, AuthMode } from '../../contract/accounts.ts';
import type { Role } from '../../contract/operation.ts';
import { AppError } from '../../base/errors.ts';
import { homePaths } from '../../home/config/home.ts';

/** A user of the user file or an identity provider. */
export interface CallerUser {
  /** Id in the user file, or `oidc:` and the provider's subject. */
  readonly id: string;
  readonly username: string;
}

/** The credential of a caller. */
export interface Credential {
  readonly kind: CredentialKind;
  /** Id of the session or API token. */
  readonly id: string;
  /** Epoch milliseconds; absent if it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** An authenticated identity. */
export interface Identity {
  /** For display. */
  readonly name: string;
  /** Current role. */
  readonly role: Role;
  /** Absent for the configured basic credentials, and for tokens created on the machine. */
  readonly user?: CallerUser | undefined;
  readonly credential: Credential;
}

/** Credentials of a request. */
export type Credentials =
  /** `Authorization: Bearer …`, or the session cookie. */
  | { readonly scheme: 'bearer' | 'cookie'; readonly token: string }
  /** `Authorization: Basic …`. */
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string };

/**
 * Verifier of one kind of credentials. Verifiers run in a fixed order; the first that recognizes the credentials
 * decides. Resolves with undefined for credentials of another kind or invalid ones.
 */
export interface Verifier {
  verify(
    credentials: Credentials,
    from: { readonly address?: string | undefined },
  ): Promise<Identity | undefined>;
}

/** A user authenticated without a password, for whom a session is created. */
export interface SessionSubject extends CallerUser {
  readonly role: Role;
  /** Source of the user: the file, whose role and revocations apply at every request, or a provider. */
  readonly via: 'file' | 'oidc';
}

/** A session as returned to its owner. */
export interface IssuedSession {
  /** A signed JWT, for `Authorization: Bearer` and the session cookie. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const userFieldError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}.`, { details: { field } });

/**
 * Validates a user name: 1 to 64 characters, no invisible ones, and no colon, which ends the name in basic
 * authentication. Throws `bad_request`.
 */
export function checkUsername(username: string): void {
  if (username.length < 1 || username.length > 64)
    throw userFieldError('username', 'must have 1 to 64 characters');
  if (/[\p{C}\p{Z}:]/u.test(username))
    throw userFieldError('username', 'must not contain spaces, colons or invisible characters');
}

/** Validates a password: 8 to 256 characters. Throws `bad_request`. */
export function checkPassword(password: string): void {
  if (password.length < 8) throw userFieldError('password', 'must have at least 8 characters');
  if (password.length > 256) throw userFieldError('password', 'must have at most 256 characters');
}

/** Normalizes a user name for comparison: `Ann`, `ann` and `ＡＮＮ` are one user. */
export const normalizeUsername = (username: string): string => username.normalize('NFKC').toLowerCase();

/** Authentication settings, parsed from the configuration's section `auth`. */
export interface AuthSettings {
  /** `AUTH_MODE`. */
  readonly mode: AuthMode;
  readonly builtin: {
    /** Duration of a login in seconds. */
    readonly tokenTtl: number;
  };
  /**
   * Admin credentials for basic authentication; both or neither. Valid in every mode, and enable authentication in
   * mode `none`.
   */
  readonly basic: {
    readonly username: string | undefined;
    readonly password: string | undefined;
  };
  /** Admin bearer token, with the same rules as `basic`. */
  readonly token: { readonly value: string | undefined };
  readonly oidc: OidcSettings;
}

/** Settings of the OpenID provider in mode `oidc`. */
export interface OidcSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** Claim with the role; a path such as `realm_access.roles`. */
  readonly roleClaim: string | undefined;
  /** Role by claim value; the highest wins. */
  readonly roleMapping: ReadonlyMap<string, Role>;
  /** Role of users without a mapped claim; if absent, they are rejected. */
  readonly defaultRole: Role | undefined;
  /** Users that can log in; every user of the provider if both are empty. */
  readonly allowedEmails: readonly string[];
  readonly allowedDomains: readonly string[];
  /**
   * Accepts any access token that the userinfo endpoint accepts, if tokens cannot be introspected. That endpoint does
   * not report the client of a token.
   */
  readonly userinfoTokens: boolean;
}

/** Paths without authentication; `*` matches part of one segment. */
export const defaultServicePaths: readonly string[] = ['/api/v2/metrics', '/api/v*/health'];

/** Whether HTTP callers must authenticate. */
export const requiresAuthentication = ({ mode, basic, token }: AuthSettings): boolean =>
  mode !== 'none' || basic.username !== undefined || token.value !== undefined;

/** Authentication files of a home, stored next to the database, readable only by the owner. */
export interface AuthPaths {
  readonly users: string;
  readonly tokens: string;
  readonly sessions: string;
  readonly key: string;
  /** One lock for all files. */
  readonly lock: string;
}

/**
 * @param home absolute
 * @param data absolute path of the data directory, if it is not in the home
 */
export function authPaths(home: string, data: string = homePaths(home).data): AuthPaths {
  return {
    users: path.join(data, 'users.json'),
    tokens: path.join(data, 'tokens.json'),
    sessions: path.join(data, 'sessions.json'),
    key: path.join(data, 'auth.key'),
    lock: path.join(data, 'auth.lock'),
  };
}

/** Returns a short name that distinguishes servers of several homes, which share the cookies of a machine. */
export const getRealm = (home: string): string =>
  createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 8);
