import type { CredentialKind } from '../../contract/accounts.ts';
import type { Role } from '../../contract/operation.ts';
import { AppError } from '../../base/errors.ts';

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

/** Creates sessions, for example after an OpenID login. */
export interface SessionIssuer {
  issueSession(subject: SessionSubject): Promise<IssuedSession>;
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
