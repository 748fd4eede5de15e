import { DatabaseUnavailable, type DatabaseError } from '../database/database.ts';
import { GatewayError } from '../gateway-error.ts';
import { toRaisedError } from './raised-error.ts';
import { statusOfSqlState } from './sqlstate-status.ts';

/**
 * Converts a database error to a response. SQL can set the status with `SQLSTATE 'PTnnn'`, and the whole response with
 * `SQLSTATE 'PGRST'`.
 */
export function toGatewayError(
  error: DatabaseError | DatabaseUnavailable,
  { isAuthenticated }: { readonly isAuthenticated: boolean },
): GatewayError {
  if (error instanceof DatabaseUnavailable) return toUnavailable(error);
  if (error.code === 'PGRST') return toRaisedError(error);
  return new GatewayError(toStatus(error, isAuthenticated), error.code, error.message, {
    details: error.detail,
    hint: error.hint,
  });
}

function toStatus(error: DatabaseError, isAuthenticated: boolean): number {
  if (!error.code.startsWith('PT')) return statusOfSqlState(error, isAuthenticated);
  // 1xx statuses are interim and cannot be used.
  return /^PT[2-5]\d\d$/.test(error.code) ? Number(error.code.slice(2)) : 500;
}

function toUnavailable({ reason, message }: DatabaseUnavailable): GatewayError {
  if (reason === 'busy')
    return new GatewayError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.', {
      details: message,
      hint: 'Try again later.',
    });
  const code = reason === 'unreachable' ? 'PGRST000' : 'PGRST001';
  const what = code === 'PGRST000' ? 'Database connection error' : 'The connection to the database was lost';
  return new GatewayError(503, code, `${what}. Retrying the connection.`, { details: message });
}
