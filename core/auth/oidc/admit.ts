import type { JsonObject, JsonValue } from '../../base/json.ts';
import { AppError } from '../../base/errors.ts';
import { roles, type Role } from '../../contract/operation.ts';
import type { OidcSettings } from '../settings.ts';

/** What a provider says of somebody. */
export interface Claims {
  /** The provider's own name for them, which never changes. */
  readonly sub: string;
  readonly [name: string]: JsonValue | undefined;
}

/** Somebody whom a provider has signed in and who may use this server. */
export interface AdmittedUser {
  /** `oidc:` and the subject at the provider. */
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

/** Decides whether somebody is let in, and as what. Throws `forbidden` with the reason. */
export function admitUser(claims: Claims, settings: OidcSettings): AdmittedUser {
  const username = nameOf(claims);
  checkAllowed(claims, username, settings);
  const role = findRole(claims, settings);
  if (role === undefined)
    throw new AppError(
      'forbidden',
      `${username} has no role on this server: no value of the claim "${settings.roleClaim}" is mapped to a role. ` +
        'An admin can add a mapping to auth.oidc.roleMapping, or set auth.oidc.defaultRole.',
    );
  return { id: `oidc:${claims.sub}`, username, role };
}

/** Whether a decision over these settings needs claims that are not there. */
export function lacksClaims(claims: Claims, settings: OidcSettings): boolean {
  const needsEmail = settings.allowedEmails.length + settings.allowedDomains.length > 0;
  if (needsEmail && claims['email'] === undefined) return true;
  if (settings.roleClaim !== undefined && listClaim(claims, settings.roleClaim).length === 0) return true;
  return nameOf(claims) === claims.sub;
}

/**
 * The highest role that the claim gives; else the default one. Without a claim to go by, somebody whom the provider
 * signs in may look and no more.
 */
function findRole(claims: Claims, settings: OidcSettings): Role | undefined {
  const { roleClaim, roleMapping, defaultRole } = settings;
  if (roleClaim === undefined) return defaultRole ?? 'viewer';
  const found = listClaim(claims, roleClaim).map((value) =>
    roleMapping.size > 0 ? roleMapping.get(value) : roles.find((role) => role === value),
  );
  return roles.findLast((role) => found.includes(role)) ?? defaultRole;
}

/**
 * The values of a claim: of a list its items, of a text itself. A claim whose name has dots is found by its name, else
 * by the way into an object (`realm_access.roles`).
 */
export function listClaim(claims: Claims, way: string): string[] {
  const value = Object.hasOwn(claims, way)
    ? claims[way]
    : way.split('.').reduce<JsonValue | undefined>(findMember, claims as JsonObject);
  return [value].flat().filter((item) => typeof item === 'string');
}

function findMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}

function checkAllowed(claims: Claims, username: string, settings: OidcSettings): void {
  const emails = settings.allowedEmails.map((email) => email.toLowerCase());
  const domains = settings.allowedDomains.map((domain) => domain.toLowerCase().replace(/^@/, ''));
  if (emails.length + domains.length === 0) return;
  const email = typeof claims['email'] === 'string' ? claims['email'].toLowerCase() : undefined;
  if (email === undefined)
    throw new AppError(
      'forbidden',
      `The identity provider does not return the mail address of ${username}, which this server requires. ` +
        'Add the scope "email" to auth.oidc.scopes.',
    );
  if (claims['email_verified'] === false)
    throw new AppError('forbidden', `The identity provider has not verified the mail address ${email}.`);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (emails.includes(email) || domains.includes(domain)) return;
  throw new AppError('forbidden', `${email} is not allowed to sign in on this server.`);
}

/** How somebody is called here: what the provider has for people, else its own name for them. */
function nameOf(claims: Claims): string {
  const names = [claims['preferred_username'], claims['email'], claims['name']];
  const name = names.find((value) => typeof value === 'string' && value !== '');
  return (typeof name === 'string' ? name : claims.sub).slice(0, 64);
}
