import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Credentials, Identity, Verifier } from '../identity.ts';
import { LoginThrottle } from '../login-throttle.ts';
import { admitUser } from './admit.ts';
import { introspectToken, isOpaque, canIntrospect, type TokenOwner } from './opaque-token.ts';
import { isOutage } from './outage.ts';
import { retryAfterMs, type Provider } from './provider.ts';

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
  readonly #cachedOwners = new Map<string, CachedOwner>();
  readonly #pending = new Map<string, Promise<TokenOwner | undefined>>();
  /** Time until which the provider is not asked, on the monotonic clock. */
  #unavailableUntil = -Infinity;

  constructor(deps: { readonly provider: Provider; readonly clock: Clock; readonly logger: Logger }) {
    this.#provider = deps.provider;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#throttle = new LoginThrottle(deps.clock);
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
    const oldest = this.#cachedOwners.keys().next();
    if (this.#cachedOwners.size >= maxCachedTokens && oldest.done !== true)
      this.#cachedOwners.delete(oldest.value);
    this.#cachedOwners.set(hash, { ...owner, until: this.#clock.monotonic() + remainingMs });
    return true;
  }

  #recordFailure(error: unknown): AppError {
    this.#unavailableUntil = this.#clock.monotonic() + retryAfterMs;
    // Outages of the provider are logged where they are detected.
    const isKnown = error instanceof AppError && error.code === 'unavailable';
    const what = isOutage(error) ? 'is unreachable' : 'sent an invalid response';
    if (!isKnown)
      this.#logger.warn(`the identity provider ${what} while verifying a token: ${messageOf(error)}`);
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
