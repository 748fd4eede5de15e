import type { CredentialKind } from '../contract/accounts/auth.ts';
import type { Role } from '../contract/operation.ts';

/** A user, whether of the user file or of an identity provider. */
export interface CallerUser {
  /** Of the user file: its id there. Of a provider: `oidc:` and the subject. */
  readonly id: string;
  readonly username: string;
}

/** What a caller has proved itself with. */
export interface Credential {
  readonly kind: CredentialKind;
  /** Of a session or an API token; its own id. */
  readonly id: string;
  /** Epoch milliseconds; absent for what does not end by itself. */
  readonly expiresAt?: number | undefined;
}

/** Who somebody has proved to be. */
export interface Identity {
  /** Shown to people. */
  readonly name: string;
  /** What they may do now. */
  readonly role: Role;
  /** Absent for the configured pair of basic authentication, and for tokens that were made on the machine. */
  readonly user?: CallerUser | undefined;
  readonly credential: Credential;
}

/** What a request presents. */
export type Credentials =
  /** `Authorization: Bearer …`, or the session cookie. */
  | { readonly scheme: 'bearer' | 'cookie'; readonly token: string }
  /** `Authorization: Basic …`. */
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string };

/**
 * One kind of credentials. They are asked in a fixed order; the first that knows what it is shown decides.
 * Resolves with undefined for what is not of its kind, or of its kind and not valid.
 */
export interface Verifier {
  verify(
    credentials: Credentials,
    from: { readonly address?: string | undefined },
  ): Promise<Identity | undefined>;
}

/** A user who has proved to be one by other means than a password, and gets a session of this server. */
export interface SessionSubject extends CallerUser {
  readonly role: Role;
  /** Where the user is known: the file, whose role and revocation count at every request, or a provider. */
  readonly via: 'file' | 'oidc';
}

/** A session, as its owner gets it. */
export interface IssuedSession {
  /** A signed JWT, for `Authorization: Bearer` and the session cookie. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Begins sessions; an OpenID login ends in one. */
export interface SessionIssuer {
  issueSession(subject: SessionSubject): Promise<IssuedSession>;
}
