import type { AuthMode } from '../contract/accounts/auth.ts';
import type { Role } from '../contract/operation.ts';

/** How this installation authenticates callers over HTTP; what the configuration's section `auth` is read to. */
export interface AuthSettings {
  /** `AUTH_MODE`. */
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
  /** One bearer token with every right; it counts as `basic` does. */
  readonly token: { readonly value: string | undefined };
  readonly oidc: OidcSettings;
}

/** The OpenID provider of mode `oidc`. */
export interface OidcSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** Claim that says what somebody is; a path such as `realm_access.roles`. */
  readonly roleClaim: string | undefined;
  /** Role by value of the claim; the highest counts. */
  readonly roleMapping: ReadonlyMap<string, Role>;
  /** For those whose claim gives none; absent means that they may not log in. */
  readonly defaultRole: Role | undefined;
  /** Who may log in; everybody whom the provider knows when both are empty. */
  readonly allowedEmails: readonly string[];
  readonly allowedDomains: readonly string[];
  /**
   * Takes any access token that the provider's userinfo endpoint takes, where tokens cannot be introspected. That
   * endpoint does not say which application a token was issued to.
   */
  readonly userinfoTokens: boolean;
}

/** Requests that are answered without credentials; `*` stands for a part of one segment. */
export const defaultServicePaths: readonly string[] = ['/api/v2/metrics', '/api/v*/health'];

/** Whether callers over HTTP are asked for credentials. */
export const asksForCredentials = ({ mode, basic, token }: AuthSettings): boolean =>
  mode !== 'none' || basic.username !== undefined || token.value !== undefined;
