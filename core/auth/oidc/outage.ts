import type * as OpenIdClient from 'openid-client';

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
