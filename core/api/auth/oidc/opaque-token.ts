import { LruCache } from '../../../base/lru-cache.ts';
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import type * as OpenIdClient from 'openid-client';
import type { JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../../base/clock.ts';
import { AppError, getErrorMessage } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import type { OidcSettings, Credentials, Identity, Verifier } from '../identity.ts';
import { secretPrefix } from '../api-tokens.ts';
import { LoginThrottle } from '../login-throttle.ts';
import { missingClaims, type Claims, admitUser } from './token-verifier.ts';
import { isClientAuthError, type Provider, isOutage, retryAfterMs } from './provider.ts';

/** Owner of an access token according to the provider. */
interface TokenOwner {
  readonly claims: Claims;
  /** Epoch milliseconds; absent if unknown. */
  readonly expiresAt?: number | undefined;
}

/** Whether only the provider can verify a token: it is not from this server, and not a JWT with an issuer. */
function isOpaque(token: string): boolean {
  if (token.startsWith(secretPrefix)) return false;
  try {
    decodeJwt(token);
    return false;
  } catch {
    return true;
  }
}

/** Whether the settings allow asking the provider about tokens. */
const canIntrospect = ({ clientSecret, userinfoTokens }: OidcSettings): boolean =>
  clientSecret !== undefined || userinfoTokens;

/**
 * Asks the provider about a token: at its introspection endpoint (RFC 7662) if it has one and the client has a secret;
 * else, if configured, at the userinfo endpoint, which does not report the client of the token. Resolves with
 * undefined for an invalid token or one for another audience; rejects with errors of `openid-client`, and with
 * `unavailable` while the provider is down.
 */
async function introspectToken(provider: Provider, token: string): Promise<TokenOwner | undefined> {
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
    const isTokenError = error instanceof client.ResponseBodyError && error.status === 400;
    if (isTokenError && error.error !== 'invalid_client') return undefined;
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

/**
 * Time for which a provider's response about a token is cached, in milliseconds; a revoked token stays valid for this
 * time.
 */
export const tokenCacheMs = 60_000;
/** Maximum number of cached tokens; beyond it, the oldest entry is dropped. */
export const maxCachedTokens = 1000;
/** Maximum number of parallel token requests to the provider. */
const maxConcurrent = 16;

interface CachedOwner extends TokenOwner {
  /** On the monotonic clock. */
  readonly until: number;
}

/**
 * Verifies opaque access tokens by asking the provider. Tokens are cached by hash. Guesses are throttled, so that this
 * server cannot be used to flood the provider.
 */
export class OpaqueTokenVerifier implements Verifier {
  readonly #provider: Provider;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LoginThrottle;
  readonly #cachedOwners = new LruCache<string, CachedOwner>(maxCachedTokens);
  readonly #pending = new Map<string, Promise<TokenOwner | undefined>>();
  /** Time until which the provider is not asked, on the monotonic clock. */
  #unavailableUntil = -Infinity;

  constructor(provider: Provider, clock: Clock, logger: Logger) {
    this.#provider = provider;
    this.#clock = clock;
    this.#logger = logger;
    this.#throttle = new LoginThrottle(clock);
  }

  /** Number of cached tokens. */
  get size(): number {
    return this.#cachedOwners.size;
  }

  /**
   * Rejects with `unauthorized` and `details.retryAfter` while the provider is unavailable, `too_many_requests` after
   * invalid tokens, `forbidden` for a user that is not admitted.
   */
  async verify(
    credentials: Credentials,
    { address }: { readonly address?: string | undefined },
  ): Promise<Identity | undefined> {
    if (credentials.scheme !== 'bearer' || !canIntrospect(this.#provider.settings)) return undefined;
    if (!isOpaque(credentials.token)) return undefined;
    const owner = await this.#findOwner(credentials.token, address);
    if (owner === undefined) return undefined;
    const { id, username, role } = admitUser(owner.claims, this.#provider.settings);
    const credential = { kind: 'oidc', id, expiresAt: owner.expiresAt } as const;
    return { name: username, role, user: { id, username }, credential };
  }

  #findOwner(token: string, address: string | undefined): Promise<TokenOwner | undefined> {
    const hash = createHash('sha256').update(token).digest('base64url');
    const known = this.#cachedOwners.get(hash);
    if (known && known.until > this.#clock.monotonic()) return Promise.resolve(known);
    this.#cachedOwners.delete(hash);
    const inFlight = this.#pending.get(hash);
    if (inFlight !== undefined) return inFlight;
    const pending = this.#introspect({ token, hash, address }).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, pending);
    return pending;
  }

  async #introspect(question: {
    readonly token: string;
    readonly hash: string;
    readonly address: string | undefined;
  }): Promise<TokenOwner | undefined> {
    if (this.#clock.monotonic() < this.#unavailableUntil) throw this.#uncheckableTokenError();
    if (this.#pending.size >= maxConcurrent)
      throw new AppError('too_many_requests', 'Too many tokens are being verified. Try again in 1 s.', {
        details: { retryAfter: 1 },
      });
    const attempt = this.#throttle.begin(`token ${question.hash}`, question.address);
    try {
      const owner = await introspectToken(this.#provider, question.token);
      if (owner === undefined || !this.#cacheOwner(question.hash, owner)) return undefined;
      attempt.succeed();
      return owner;
    } catch (error) {
      // A failure of the provider does not count as a failed attempt.
      attempt.succeed();
      throw this.#recordFailure(error);
    }
  }

  /** Caches the meaning of a token, at most until it expires. Returns whether it is valid. */
  #cacheOwner(hash: string, owner: TokenOwner): boolean {
    const { expiresAt = Infinity } = owner;
    const remainingMs = Math.min(tokenCacheMs, expiresAt - this.#clock.now());
    if (remainingMs <= 0) return false;
    this.#cachedOwners.set(hash, { ...owner, until: this.#clock.monotonic() + remainingMs });
    return true;
  }

  #recordFailure(error: unknown): AppError {
    this.#unavailableUntil = this.#clock.monotonic() + retryAfterMs;
    // Outages of the provider are logged where they are detected.
    const isKnown = error instanceof AppError && error.code === 'unavailable';
    const what = isOutage(error) ? 'is unreachable' : 'sent an invalid response';
    if (!isKnown)
      this.#logger.warn(`the identity provider ${what} while verifying a token: ${getErrorMessage(error)}`);
    return this.#uncheckableTokenError(error);
  }

  #uncheckableTokenError(cause?: unknown): AppError {
    return new AppError(
      'unauthorized',
      `Cannot verify the token because the identity provider ${this.#provider.issuer} does not respond. ` +
        'Try again later.',
      { cause, details: { retryAfter: retryAfterMs / 1000 } },
    );
  }
}
