import { messageOf } from '../../../base/errors.ts';

/** What the engine's library throws: `statusCode` when the engine answered, `code` when the system did. */
interface EngineError extends Error {
  readonly statusCode?: number;
  readonly code?: string;
  readonly json?: { readonly message?: string; readonly cause?: string } | string;
}

/** Whether the engine said that there is no such thing. */
export const isMissing = (thrown: unknown): boolean => statusOf(thrown) === 404;

/** The HTTP status with which the engine refused; undefined when it did not answer. */
export const statusOf = (thrown: unknown): number | undefined => (thrown as EngineError).statusCode;

/** What the engine said, without the words of its library. */
export function explainEngineError(thrown: unknown): string {
  const { json } = thrown as EngineError;
  const said = typeof json === 'object' ? json?.message : undefined;
  return (said ?? messageOf(thrown).replace(/^\(HTTP code [0-9]+\) .*? - /, '')).trim();
}

/** An error whose message says what could not be done, and what the engine said of it. */
export const engineFailure = (what: string, thrown: unknown): Error =>
  new Error(`${what}: ${explainEngineError(thrown)}`, { cause: thrown });

/** Why nobody answered at an address. */
export function explainUnreachable(thrown: unknown): string {
  const { code } = thrown as EngineError;
  switch (code) {
    case 'ENOENT':
      return 'socket not found';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied; join the group that owns the socket, or use a rootless engine';
    case 'ECONNREFUSED':
      return 'connection refused; start the engine';
    case 'ENOTFOUND':
      return 'host name not found';
    case 'ECONNRESET':
      return 'connection closed by the server, which may require TLS (set DOCKER_TLS_VERIFY=1)';
    case undefined:
      break;
  }
  return explainEngineError(thrown);
}
