import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Credentials, Identity, Verifier } from '../identity.ts';
import { LoginThrottle } from '../login-throttle.ts';
import { admitUser } from './admit.ts';
import { introspectToken, isOpaque, canIntrospect, type TokenMeaning } from './opaque-token.ts';
import { isOutage } from './outage.ts';
import { retryAfterMs, type Provider } from './provider.ts';

/**
 * Time for which a provider's response about a token is cached, in milliseconds; a revoked token stays valid for this
 * time.
 */
export const trustMs = 60_000;
/** Maximum number of cached tokens; beyond it, the oldest entry is dropped. */
export const maxTrusted = 1000;
/** Maximum number of parallel token requests to the provider. */
const maxConcurrent = 16;

interface Trusted extends TokenMeaning {
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
  readonly #trusted = new Map<string, Trusted>();
  readonly #asking = new Map<string, Promise<TokenMeaning | undefined>>();
  /** Time until which the provider is not asked, on the monotonic clock. */
  #closedUntil = -Infinity;

  constructor(parts: { readonly provider: Provider; readonly clock: Clock; readonly logger: Logger }) {
    this.#provider = parts.provider;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#throttle = new LoginThrottle(parts.clock);
  }

  /** Number of cached tokens. */
  get size(): number {
    return this.#trusted.size;
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
    const meaning = await this.#findMeaning(credentials.token, address);
    if (meaning === undefined) return undefined;
    const { id, username, role } = admitUser(meaning.claims, this.#provider.settings);
    const credential = { kind: 'oidc', id, expiresAt: meaning.expiresAt } as const;
    return { name: username, role, user: { id, username }, credential };
  }

  #findMeaning(token: string, address: string | undefined): Promise<TokenMeaning | undefined> {
    const hash = createHash('sha256').update(token).digest('base64url');
    const known = this.#trusted.get(hash);
    if (known && known.until > this.#clock.monotonic()) return Promise.resolve(known);
    this.#trusted.delete(hash);
    const asked = this.#asking.get(hash);
    if (asked !== undefined) return asked;
    const asking = this.#ask({ token, hash, address }).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asking);
    return asking;
  }

  async #ask(question: {
    readonly token: string;
    readonly hash: string;
    readonly address: string | undefined;
  }): Promise<TokenMeaning | undefined> {
    if (this.#clock.monotonic() < this.#closedUntil) throw this.#uncheckableTokenError();
    if (this.#asking.size >= maxConcurrent)
      throw new AppError('too_many_requests', 'Too many tokens are being verified. Try again in 1 s.', {
        details: { retryAfter: 1 },
      });
    const attempt = this.#throttle.begin(`token ${question.hash}`, question.address);
    try {
      const meaning = await introspectToken(this.#provider, question.token);
      if (meaning === undefined || !this.#trust(question.hash, meaning)) return undefined;
      attempt.succeed();
      return meaning;
    } catch (error) {
      // A failure of the provider does not count as a failed attempt.
      attempt.succeed();
      throw this.#recordFailure(error);
    }
  }

  /** Caches the meaning of a token, at most until it expires. Returns whether it is valid. */
  #trust(hash: string, meaning: TokenMeaning): boolean {
    const { expiresAt = Infinity } = meaning;
    const left = Math.min(trustMs, expiresAt - this.#clock.now());
    if (left <= 0) return false;
    const oldest = this.#trusted.keys().next();
    if (this.#trusted.size >= maxTrusted && oldest.done !== true) this.#trusted.delete(oldest.value);
    this.#trusted.set(hash, { ...meaning, until: this.#clock.monotonic() + left });
    return true;
  }

  #recordFailure(error: unknown): AppError {
    this.#closedUntil = this.#clock.monotonic() + retryAfterMs;
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
