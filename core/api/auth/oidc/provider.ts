import type * as OpenIdClient from 'openid-client';
import type { Clock } from '../../../base/clock.ts';
import { AppError, getErrorMessage } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { truncate } from '../../../base/text.ts';
import type { OidcSettings } from '../identity.ts';

/** Timeout of provider requests, in seconds. */
const timeoutSec = 10;
/** Time before an unavailable provider is asked again. */
export const retryAfterMs = 3000;

/** Dependencies of the provider. */
export interface ProviderOptions {
  readonly settings: OidcSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The OpenID provider of mode `oidc`. Its metadata is fetched on demand, and again while it is down. */
export class Provider {
  readonly settings: OidcSettings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #configuration: Promise<OpenIdClient.Configuration> | undefined;
  #failure: { readonly at: number; readonly refusal: AppError } | undefined;

  constructor({ settings, clock, logger }: ProviderOptions) {
    this.settings = settings;
    this.#clock = clock;
    this.#logger = logger;
  }

  get issuer(): string {
    return this.settings.issuer ?? '';
  }

  /** Returns why sign-in is unavailable; undefined if no problem is known. */
  get problem(): string | undefined {
    return this.#failure?.refusal.message;
  }

  /** Fetches the metadata in advance, so that the first sign-in does not wait. A failure is only logged. */
  prepare(): void {
    this.configuration().catch(() => {});
  }

  /** Rejects with `unavailable` while the provider is down. */
  configuration(): Promise<OpenIdClient.Configuration> {
    const failure = this.#failure;
    if (failure && this.#clock.monotonic() - failure.at < retryAfterMs)
      return Promise.reject(failure.refusal);
    this.#configuration ??= this.#discover();
    return this.#configuration;
  }

  /** Returns the error for a failed provider request: `unavailable`. */
  unavailableError(error: unknown): AppError {
    return new AppError(
      'unavailable',
      `The identity provider ${this.issuer} is unreachable, so sign-in is not possible. Try again later.`,
      { cause: error },
    );
  }

  /** Returns and logs the error if the provider rejects the client: `unavailable`. */
  clientError(error: unknown): AppError {
    const { clientId = '' } = this.settings;
    const problem = `rejects the client "${clientId}" or its secret`;
    return this.#settingsError(error, {
      trouble: problem,
      remedy: 'auth.oidc.clientId and AUTH_OIDC_CLIENT_SECRET',
    });
  }

  /** Logs an error that only the administrator can fix. */
  #settingsError(
    error: unknown,
    { trouble: problem, remedy }: { readonly trouble: string; readonly remedy: string },
  ): AppError {
    this.#logger.warn(`the identity provider ${this.issuer} ${problem}: check ${remedy}`);
    return new AppError(
      'unavailable',
      `The identity provider ${this.issuer} ${problem}, so sign-in is not possible. An admin must fix ${remedy}.`,
      { cause: error },
    );
  }

  async #discover(): Promise<OpenIdClient.Configuration> {
    const { clientId = '', clientSecret } = this.settings;
    const client = await import('openid-client');
    try {
      const issuer = new URL(this.issuer);
      const execute = [client.enableNonRepudiationChecks];
      if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
      const metadata = { [client.clockTolerance]: 30 };
      const configuration = await client.discovery(
        issuer,
        clientId,
        metadata,
        clientAuthentication(client, clientSecret),
        {
          execute,
          timeout: timeoutSec,
        },
      );
      if (this.#failure) this.#logger.info(`the identity provider ${this.issuer} is reachable`);
      this.#failure = undefined;
      return configuration;
    } catch (error) {
      const failure = this.#discoveryError(error);
      this.#failure = { at: this.#clock.monotonic(), refusal: failure };
      this.#configuration = undefined;
      throw failure;
    }
  }

  #discoveryError(error: unknown): AppError {
    const problem = findProviderProblem(error);
    if (problem !== undefined)
      return this.#settingsError(error, { trouble: problem, remedy: 'auth.oidc.issuer' });
    this.#logger.warn(`the identity provider ${this.issuer} did not respond: ${formatFetchError(error)}`);
    return this.unavailableError(error);
  }
}

/** Returns the client authentication: with a secret the method that the provider supports; without one, only PKCE. */
function clientAuthentication(
  client: typeof OpenIdClient,
  secret: string | undefined,
): OpenIdClient.ClientAuth {
  if (secret === undefined) return client.None();
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const kind = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    return kind(secret)(server, ...rest);
  };
}

/** Returns what is wrong with a server that responds but is not the configured provider. */
function findProviderProblem(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Response)
    return cause.status < 500 && !cause.ok ? `returns status ${cause.status} for ${cause.url}` : undefined;
  const { body } = (cause ?? {}) as { body?: { issuer?: unknown } };
  return typeof body?.issuer === 'string' ? `reports the issuer ${truncate(body.issuer, 200)}` : undefined;
}

/** Returns the reason of a `fetch` error, which is in its cause. */
function formatFetchError(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const inner = cause instanceof Error ? ` (${formatFetchError(cause)})` : '';
  return getErrorMessage(error) + inner;
}

/** Whether a request failed because the provider is down: no connection, timeout, or a server error. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown };
  if (typeof status === 'number' && status >= 500) return true;
  if (cause instanceof Response && cause.status >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || error.name === 'TimeoutError') return true;
  return error instanceof TypeError && error.message === 'fetch failed';
}

/**
 * Whether the client authentication failed, so that retries do not help.
 * @param endpoint of the provider that needs client authentication
 */
export const isClientAuthError = (
  error: unknown,
  client: typeof OpenIdClient,
  endpoint: string | undefined,
): boolean =>
  error instanceof client.ResponseBodyError
    ? error.error === 'invalid_client' || error.error === 'unauthorized_client'
    : error instanceof client.WWWAuthenticateChallengeError && error.response.url === endpoint;

/** Paths of this server for sign-in, below its base path. */
export const signInPath = '/auth/oidc/login';
/** Redirect URI path, which must be registered at the provider. */
export const callbackPath = '/auth/oidc/callback';
export const signOutPath = '/auth/oidc/logout';
/** Post-logout redirect path, which must be registered at the provider. */
export const signedOutPath = '/auth/oidc/signed-out';
