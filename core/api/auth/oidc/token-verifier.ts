import { createRemoteJWKSet, decodeJwt, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { AppError } from '../../../base/errors.ts';
import { roles, type Role } from '../../../contract/operation.ts';
import type { Clock } from '../../../base/clock.ts';
import type { OidcSettings, Credentials, Identity, Verifier } from '../identity.ts';
import type { Provider } from './provider.ts';

/** Claims of a provider. */
export interface Claims {
  /** The subject, which never changes. */
  readonly sub: string;
  readonly [name: string]: JsonValue | undefined;
}

/** An admitted user of a provider. */
export interface AdmittedUser {
  /** `oidc:` and the subject at the provider. */
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

/** Returns the admitted user with a role. Throws `forbidden` with the reason. */
export function admitUser(claims: Claims, settings: OidcSettings): AdmittedUser {
  const username = getName(claims);
  assertAllowed(claims, username, settings);
  const role = findRole(claims, settings);
  if (role === undefined)
    throw new AppError(
      'forbidden',
      `${username} has no role on this server: no value of the claim "${settings.roleClaim}" is mapped to a role. ` +
        'An admin can add a mapping to auth.oidc.roleMapping, or set auth.oidc.defaultRole.',
    );
  return { id: `oidc:${claims.sub}`, username, role };
}

/** Whether claims that the settings need are missing. */
export function missingClaims(claims: Claims, settings: OidcSettings): boolean {
  const needsEmail = settings.allowedEmails.length + settings.allowedDomains.length > 0;
  if (needsEmail && claims['email'] === undefined) return true;
  if (settings.roleClaim !== undefined && listClaim(claims, settings.roleClaim).length === 0) return true;
  return getName(claims) === claims.sub;
}

/** Returns the highest role of the claim, else the default role. Without a role claim, users are viewers. */
function findRole(claims: Claims, settings: OidcSettings): Role | undefined {
  const { roleClaim, roleMapping, defaultRole } = settings;
  if (roleClaim === undefined) return defaultRole ?? 'viewer';
  const values = listClaim(claims, roleClaim).map((value) =>
    roleMapping.size > 0 ? roleMapping.get(value) : roles.find((role) => role === value),
  );
  return roles.findLast((role) => values.includes(role)) ?? defaultRole;
}

/**
 * Returns the values of a claim: the items of a list, or a single string. A claim name with dots is looked up
 * literally, else as a path into an object (`realm_access.roles`).
 */
export function listClaim(claims: Claims, way: string): string[] {
  const value = Object.hasOwn(claims, way)
    ? claims[way]
    : way.split('.').reduce<JsonValue | undefined>(findClaim, claims as JsonObject);
  return [value].flat().filter((item) => typeof item === 'string');
}

function findClaim(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}

function assertAllowed(claims: Claims, username: string, settings: OidcSettings): void {
  const emails = settings.allowedEmails.map((email) => email.toLowerCase());
  const domains = settings.allowedDomains.map((domain) => domain.toLowerCase().replace(/^@/, ''));
  if (emails.length + domains.length === 0) return;
  const email = typeof claims['email'] === 'string' ? claims['email'].toLowerCase() : undefined;
  if (email === undefined)
    throw new AppError(
      'forbidden',
      `The identity provider does not return the email address of ${username}, which this server requires. ` +
        'Add the scope "email" to auth.oidc.scopes.',
    );
  if (claims['email_verified'] === false)
    throw new AppError('forbidden', `The identity provider has not verified the email address ${email}.`);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (emails.includes(email) || domains.includes(domain)) return;
  throw new AppError('forbidden', `${email} is not allowed to sign in on this server.`);
}

/** Returns the display name of a user, else the subject. */
function getName(claims: Claims): string {
  const names = [claims['preferred_username'], claims['email'], claims['name']];
  const name = names.find((value) => typeof value === 'string' && value !== '');
  return (typeof name === 'string' ? name : claims.sub).slice(0, 64);
}

/** Tolerated clock difference between provider and server, in seconds. */
const toleranceSec = 30;

/**
 * Verifies ID tokens and JWT access tokens of the provider. The audience must be the client id. The provider's keys
 * are cached, and fetched again for an unknown key id.
 */
export class OidcTokenVerifier implements Verifier {
  readonly #provider: Provider;
  readonly #clock: Clock;
  #keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | undefined;

  constructor(provider: Provider, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  /** Rejects with `unavailable` for a token that claims to be from the provider while that is down. */
  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme !== 'bearer') return undefined;
    const { token } = credentials;
    if (!this.#isFromProvider(token)) return undefined;
    const find = await this.#findKeys();
    let claims: Claims;
    try {
      const verified = await jwtVerify(token, find, {
        issuer: this.#provider.issuer,
        audience: this.#provider.settings.clientId ?? '',
        currentDate: new Date(this.#clock.now()),
        clockTolerance: toleranceSec,
        requiredClaims: ['sub', 'exp'],
      });
      claims = { ...(verified.payload as JsonObject), sub: String(verified.payload.sub) };
    } catch (error) {
      if (isInvalid(error)) return undefined;
      throw this.#provider.unavailableError(error);
    }
    const { id, username, role } = admitUser(claims, this.#provider.settings);
    const expiresAt = Number(claims['exp']) * 1000;
    const credential = { kind: 'oidc', id, expiresAt } as const;
    return { name: username, role, user: { id, username }, credential };
  }

  #isFromProvider(token: string): boolean {
    try {
      return decodeJwt(token).iss === this.#provider.issuer;
    } catch {
      return false;
    }
  }

  async #findKeys(): Promise<JWTVerifyGetKey> {
    const uri = (await this.#provider.configuration()).serverMetadata().jwks_uri;
    if (uri === undefined) throw this.#provider.unavailableError(new Error('no signing keys'));
    if (this.#keys?.uri !== uri) {
      this.#keys = { uri, find: createRemoteJWKSet(new URL(uri)) };
    }
    return this.#keys.find;
  }
}

/** Whether the token is invalid, in contrast to keys that could not be fetched. */
function isInvalid(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^ERR_(JWT|JWS|JOSE|JWKS_NO_MATCHING|JWKS_MULTIPLE)/.test(code) && code !== 'ERR_JOSE_GENERIC';
}
