import { getErrorMessage } from '../../base/errors.ts';

/** Errors of the Docker library: `statusCode` if the engine responded, `code` for a system error. */
interface EngineError extends Error {
  readonly statusCode?: number;
  readonly code?: string;
  readonly json?: { readonly message?: string; readonly cause?: string } | string;
}

/** Whether the container engine responded that the object does not exist. */
export const isMissing = (error: unknown): boolean => getStatus(error) === 404;

/** Returns the HTTP status of the container engine's error response, or undefined if it did not respond. */
export const getStatus = (error: unknown): number | undefined => (error as EngineError).statusCode;

/** Returns the message of the container engine without the prefix of the library. */
export function explainEngineError(error: unknown): string {
  const { json } = error as EngineError;
  const engineMessage = typeof json === 'object' ? json?.message : undefined;
  return (engineMessage ?? getErrorMessage(error).replace(/^\(HTTP code [0-9]+\) .*? - /, '')).trim();
}

/** Returns an error whose message states what failed and includes the message of the container engine. */
export const engineFailure = (what: string, error: unknown): Error =>
  new Error(`${what}: ${explainEngineError(error)}`, { cause: error });

/** Explains why there was no response at an address. */
export function explainUnreachable(error: unknown): string {
  const { code } = error as EngineError;
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
  return explainEngineError(error);
}
