import type * as OpenIdClient from 'openid-client';

/** Whether a request to a provider failed for want of it: no connection, no answer in time, or a failure of its own. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, status, cause } = thrown as { code?: unknown; status?: unknown; cause?: unknown };
  if (typeof status === 'number' && status >= 500) return true;
  if (cause instanceof Response && cause.status >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || thrown.name === 'TimeoutError') return true;
  return thrown instanceof TypeError && thrown.message === 'fetch failed';
}

/**
 * Whether it is this server that has not proved itself, so that no further try changes anything.
 * @param endpoint of the provider that asks for this proof
 */
export const isOfClient = (
  thrown: unknown,
  client: typeof OpenIdClient,
  endpoint: string | undefined,
): boolean =>
  thrown instanceof client.ResponseBodyError
    ? thrown.error === 'invalid_client' || thrown.error === 'unauthorized_client'
    : thrown instanceof client.WWWAuthenticateChallengeError && thrown.response.url === endpoint;
