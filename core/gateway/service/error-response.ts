import type { Logger } from '../../base/logger.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable } from '../../store/sql/database.ts';
import { GatewayError } from '../gateway-error.ts';
import { toGatewayError } from '../sql-errors.ts';
import type { GatewayResponse } from './gateway-service.ts';

/**
 * Returns the error response `{code, message, details, hint}`, regardless of the requested format. Internal errors are
 * logged in full and returned without their message.
 */
export function toErrorResponse(
  cause: unknown,
  { isAuthenticated, logger }: { readonly isAuthenticated: boolean; readonly logger: Logger },
): GatewayResponse {
  const error = toExpectedError(cause, isAuthenticated);
  if (error === undefined) {
    const stack = cause instanceof Error ? (cause.stack ?? '') : '';
    logger.error(`gateway request failed: ${getErrorMessage(cause)}`, { stack });
  }
  return write(error ?? defect);
}

const defect = new GatewayError(500, 'PGRSTX00', 'Internal gateway error', {
  hint: 'See the engine log for details.',
});

function toExpectedError(error: unknown, isAuthenticated: boolean): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  if (error instanceof DatabaseError || error instanceof DatabaseUnavailable)
    return toGatewayError(error, { isAuthenticated });
  return undefined;
}

/** Returns the header that identifies the source and code of an error (RFC 9209). */
export const proxyStatus = (code: string): string => `Stepwright; error=${code}`;

function write({ status, code, message, details, hint, headers }: GatewayError): GatewayResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': proxyStatus(code),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...headers,
    },
    body: JSON.stringify({ code, message, details, hint }),
  };
}
