import { decodeJwt } from 'jose';
import type * as OpenIdClient from 'openid-client';
import type { JsonObject } from '../../base/json.ts';
import type { OidcSettings } from '../settings.ts';
import { secretPrefix } from '../tokens/api-tokens.ts';
import { missingClaims, type Claims } from './admit.ts';
import { isClientAuthError } from './outage.ts';
import type { Provider } from './provider.ts';

/** Owner of an access token according to the provider. */
export interface TokenOwner {
  readonly claims: Claims;
  /** Epoch milliseconds; absent if unknown. */
  readonly expiresAt?: number | undefined;
}

/** Whether only the provider can verify a token: it is not from this server, and not a JWT with an issuer. */
export function isOpaque(token: string): boolean {
  if (token.startsWith(secretPrefix)) return false;
  try {
    decodeJwt(token);
    return false;
  } catch {
    return true;
  }
}

/** Whether the settings allow asking the provider about tokens. */
export const canIntrospect = ({ clientSecret, userinfoTokens }: OidcSettings): boolean =>
  clientSecret !== undefined || userinfoTokens;

/**
 * Asks the provider about a token: at its introspection endpoint (RFC 7662) if it has one and the client has a secret;
 * else, if configured, at the userinfo endpoint, which does not report the client of the token. Resolves with
 * undefined for an invalid token or one for another audience; rejects with errors of `openid-client`, and with
 * `unavailable` while the provider is down.
 */
export async function introspectToken(provider: Provider, token: string): Promise<TokenOwner | undefined> {
  const configuration = await provider.configuration();
  const client = await import('openid-client');
  const { introspection_endpoint: introspection, userinfo_endpoint: userinfo } =
    configuration.serverMetadata();
  const { clientSecret, userinfoTokens } = provider.settings;
  if (introspection !== undefined && clientSecret !== undefined) {
    const reply = await introspect(client, configuration, token).catch((error: unknown) => {
      throw isClientAuthError(error, client, introspection) ? provider.clientError(error) : error;
    });
    const claims = reply && readIntrospection(reply, provider);
    if (claims === undefined) return undefined;
    const expiresAt = reply?.exp === undefined ? undefined : reply.exp * 1000;
    return { claims: await addUserinfo(claims, { provider, configuration, token }), expiresAt };
  }
  if (!userinfoTokens || userinfo === undefined) return undefined;
  const claims = await readUserinfo(client, { configuration, token, subject: client.skipSubjectCheck });
  return claims && { claims };
}

/** Introspects a token; undefined if the endpoint rejects it as malformed, which does not affect other tokens. */
async function introspect(
  client: typeof OpenIdClient,
  configuration: OpenIdClient.Configuration,
  token: string,
): Promise<OpenIdClient.IntrospectionResponse | undefined> {
  try {
    return await client.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' });
  } catch (error) {
    const isOfToken = error instanceof client.ResponseBodyError && error.status === 400;
    if (isOfToken && error.error !== 'invalid_client') return undefined;
    throw error;
  }
}

/**
 * Returns the claims of a token that is an access token (not a refresh token, RFC 7662 2.2), a bearer token (not bound
 * by RFC 8705 or RFC 9449), has a subject and is for this server: by its audience if present, else by its client.
 */
function readIntrospection(
  reply: OpenIdClient.IntrospectionResponse,
  { issuer, settings }: Provider,
): Claims | undefined {
  const { active, sub, iss, aud, client_id: issuedTo, token_type: type, cnf, username } = reply;
  const isBearer = type?.toLowerCase() === 'bearer' && cnf === undefined;
  const isMeantHere = (aud === undefined ? [issuedTo] : [aud].flat()).includes(settings.clientId);
  if (!active || !isBearer || !isMeantHere || typeof sub !== 'string') return undefined;
  if (iss !== undefined && iss !== issuer) return undefined;
  return { ...(username !== undefined && { preferred_username: username }), ...(reply as JsonObject), sub };
}

/** Adds userinfo if the name or role is missing, as at sign-in. */
async function addUserinfo(
  claims: Claims,
  request: {
    readonly provider: Provider;
    readonly configuration: OpenIdClient.Configuration;
    readonly token: string;
  },
): Promise<Claims> {
  const { provider, configuration, token } = request;
  if (!missingClaims(claims, provider.settings) || !configuration.serverMetadata().userinfo_endpoint)
    return claims;
  const client = await import('openid-client');
  const more = await readUserinfo(client, { configuration, token, subject: claims.sub });
  return { ...more, ...claims };
}

/** Returns the userinfo; undefined for a token that the endpoint rejects. */
async function readUserinfo(
  client: typeof OpenIdClient,
  request: {
    readonly configuration: OpenIdClient.Configuration;
    readonly token: string;
    readonly subject: string | typeof OpenIdClient.skipSubjectCheck;
  },
): Promise<Claims | undefined> {
  try {
    return (await client.fetchUserInfo(request.configuration, request.token, request.subject)) as Claims;
  } catch (error) {
    const isRefusal =
      error instanceof client.WWWAuthenticateChallengeError || error instanceof client.ResponseBodyError;
    if (isRefusal && error.status < 500) return undefined;
    throw error;
  }
}
