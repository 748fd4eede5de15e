import { createRemoteJWKSet, decodeJwt, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Credentials, Identity, Verifier } from '../identity.ts';
import { admitUser, type Claims } from './admit.ts';
import type { Provider } from './provider.ts';

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
