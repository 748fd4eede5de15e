import type * as OpenIdClient from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { clip } from '../../base/text/clip.ts';
import type { OidcSettings } from '../settings.ts';

/** Timeout of provider requests, in seconds. */
const patienceSec = 10;
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
  #found: Promise<OpenIdClient.Configuration> | undefined;
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
    this.#found ??= this.#discover();
    return this.#found;
  }

  /** Returns the error for a failed provider request: `unavailable`. */
  refuseFor(thrown: unknown): AppError {
    return new AppError(
      'unavailable',
      `The identity provider ${this.issuer} is unreachable, so sign-in is not possible. Try again later.`,
      { cause: thrown },
    );
  }

  /** Returns and logs the error if the provider refuses the client: `unavailable`. */
  refuseClient(thrown: unknown): AppError {
    const { clientId = '' } = this.settings;
    const trouble = `rejects the client "${clientId}" or its secret`;
    return this.#refuseSettings(thrown, { trouble, cure: 'auth.oidc.clientId and AUTH_OIDC_CLIENT_SECRET' });
  }

  /** Logs an error that only the administrator can fix. */
  #refuseSettings(
    thrown: unknown,
    { trouble, cure }: { readonly trouble: string; readonly cure: string },
  ): AppError {
    this.#logger.warn(`the identity provider ${this.issuer} ${trouble}: check ${cure}`);
    return new AppError(
      'unavailable',
      `The identity provider ${this.issuer} ${trouble}, so sign-in is not possible. An admin must fix ${cure}.`,
      { cause: thrown },
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
      const found = await client.discovery(issuer, clientId, metadata, proveClient(client, clientSecret), {
        execute,
        timeout: patienceSec,
      });
      if (this.#failure) this.#logger.info(`the identity provider ${this.issuer} is reachable`);
      this.#failure = undefined;
      return found;
    } catch (thrown) {
      const refusal = this.#refuseDiscovery(thrown);
      this.#failure = { at: this.#clock.monotonic(), refusal };
      this.#found = undefined;
      throw refusal;
    }
  }

  #refuseDiscovery(thrown: unknown): AppError {
    const trouble = findMisfit(thrown);
    if (trouble !== undefined) return this.#refuseSettings(thrown, { trouble, cure: 'auth.oidc.issuer' });
    this.#logger.warn(`the identity provider ${this.issuer} did not respond: ${explain(thrown)}`);
    return this.refuseFor(thrown);
  }
}

/** Returns the client authentication: with a secret the method that the provider supports; without one, only PKCE. */
function proveClient(client: typeof OpenIdClient, secret: string | undefined): OpenIdClient.ClientAuth {
  if (secret === undefined) return client.None();
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const kind = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    return kind(secret)(server, ...rest);
  };
}

/** Returns what is wrong with a server that responds but is not the configured provider. */
function findMisfit(thrown: unknown): string | undefined {
  const { cause } = thrown as { cause?: unknown };
  if (cause instanceof Response)
    return cause.status < 500 && !cause.ok ? `returns status ${cause.status} for ${cause.url}` : undefined;
  const { body } = (cause ?? {}) as { body?: { issuer?: unknown } };
  return typeof body?.issuer === 'string' ? `reports the issuer ${clip(body.issuer, 200)}` : undefined;
}

/** Returns the reason of a `fetch` error, which is in its cause. */
function explain(thrown: unknown): string {
  const { cause } = thrown as { cause?: unknown };
  const inner = cause instanceof Error ? ` (${explain(cause)})` : '';
  return messageOf(thrown) + inner;
}
