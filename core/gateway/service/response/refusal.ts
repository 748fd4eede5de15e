import type { Logger } from '../../../base/logger.ts';
import { messageOf } from '../../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable } from '../../database/database.ts';
import { GatewayError } from '../../gateway-error.ts';
import { toGatewayError } from '../../errors/to-gateway-error.ts';
import type { GatewayResponse } from '../request.ts';

/**
 * Returns the error response `{code, message, details, hint}`, regardless of the requested format. Internal errors are
 * logged in full and returned without their message.
 */
export function toRefusal(
  thrown: unknown,
  { isAuthenticated, logger }: { readonly isAuthenticated: boolean; readonly logger: Logger },
): GatewayResponse {
  const error = toKnown(thrown, isAuthenticated);
  if (error === undefined) {
    const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
    logger.error(`gateway request failed: ${messageOf(thrown)}`, { stack });
  }
  return write(error ?? defect);
}

const defect = new GatewayError(500, 'PGRSTX00', 'Internal gateway error', {
  hint: 'See the engine log for details.',
});

function toKnown(thrown: unknown, isAuthenticated: boolean): GatewayError | undefined {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof DatabaseError || thrown instanceof DatabaseUnavailable)
    return toGatewayError(thrown, { isAuthenticated });
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
