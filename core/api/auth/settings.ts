import { createHash } from 'node:crypto';
import path from 'node:path';
import type { AuthMode } from '../../contract/accounts.ts';
import type { Role } from '../../contract/operation.ts';
import { homePaths } from '../../home/config/home.ts';

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
