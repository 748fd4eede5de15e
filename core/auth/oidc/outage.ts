/** Whether a request to a provider failed for want of it: no connection, no answer in time, or a failure of its own. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, status, cause } = thrown as { code?: unknown; status?: unknown; cause?: unknown };
  if (typeof status === 'number' && status >= 500) return true;
  if (cause instanceof Response && cause.status >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || thrown.name === 'TimeoutError') return true;
  return thrown instanceof TypeError && thrown.message === 'fetch failed';
}
