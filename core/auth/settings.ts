import type { AuthMode } from '../contract/auth.ts';
import type { Role } from '../contract/operation.ts';

/** How this installation authenticates callers over HTTP; what the configuration's section `auth` is read to. */
export interface AuthSettings {
  /** `AUTH_MODE` (seed 1, Authentication). */
  readonly mode: AuthMode;
  readonly builtin: {
    /** How long a login lasts, seconds. */
    readonly tokenTtl: number;
  };
  /** One pair for all, with every right; both or neither. Counts in every mode, and switches authentication on in mode `none`. */
  readonly basic: {
    readonly username: string | undefined;
    readonly password: string | undefined;
  };
  readonly oidc: OidcSettings;
}

/** The OpenID provider of mode `oidc` (peer 5, Auth; peer 7). */
export interface OidcSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** Address of this server as browsers reach it, without a slash at the end; the provider sends them back to it. */
  readonly clientUrl: string | undefined;
  readonly scopes: readonly string[];
  /** Mail addresses that may log in; empty for everybody whom the provider knows. */
  readonly whitelist: readonly string[];
  readonly roles: {
    /** Claim that carries the groups of a user; a path such as `realm_access.roles`. */
    readonly claim: string | undefined;
    /** Role by value of the claim; the highest counts. */
    readonly mapping: Readonly<Record<string, Role>>;
    /** For users without any of them; absent means that they may not log in. */
    readonly fallback: Role | undefined;
  };
}

/** Requests that are answered without credentials (seed 1, Authentication); `*` stands for a part of one segment. */
export const defaultServicePaths: readonly string[] = ['/api/v2/metrics', '/api/v*/health'];

/** What counts when the configuration says nothing: nobody is asked. */
export const openSettings: AuthSettings = {
  mode: 'none',
  builtin: { tokenTtl: 24 * 3600 },
  basic: { username: undefined, password: undefined },
  oidc: {
    issuer: undefined,
    clientId: undefined,
    clientSecret: undefined,
    clientUrl: undefined,
    scopes: ['openid', 'profile', 'email'],
    whitelist: [],
    roles: { claim: undefined, mapping: {}, fallback: 'viewer' },
  },
};

/** Whether callers over HTTP are asked for credentials. */
export const asksForCredentials = ({ mode, basic }: AuthSettings): boolean =>
  mode !== 'none' || basic.username !== undefined;
