import type * as OpenIdClient from 'openid-client';

/** Whether a request failed because the provider is down: no connection, timeout, or a server error. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, status, cause } = thrown as { code?: unknown; status?: unknown; cause?: unknown };
  if (typeof status === 'number' && status >= 500) return true;
  if (cause instanceof Response && cause.status >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || thrown.name === 'TimeoutError') return true;
  return thrown instanceof TypeError && thrown.message === 'fetch failed';
}

/**
 * Whether the client authentication failed, so that retries do not help.
 * @param endpoint of the provider that needs client authentication
 */
export const isOfClient = (
  thrown: unknown,
  client: typeof OpenIdClient,
  endpoint: string | undefined,
): boolean =>
  thrown instanceof client.ResponseBodyError
    ? thrown.error === 'invalid_client' || thrown.error === 'unauthorized_client'
    : thrown instanceof client.WWWAuthenticateChallengeError && thrown.response.url === endpoint;
