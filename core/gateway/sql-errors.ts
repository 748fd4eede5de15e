import { DatabaseUnavailable, type DatabaseError } from '../store/sql/database.ts';
import { GatewayError } from './gateway-error.ts';

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
  if (!error.code.startsWith('PT')) return getSqlStateStatus(error, isAuthenticated);
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

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Converts an error that SQL raised with `RAISE SQLSTATE 'PGRST'` and JSON in MESSAGE (code, message, details, hint)
 * and DETAIL (status, headers). Invalid JSON results in PGRST121.
 */
function toRaisedError({ message, detail }: DatabaseError): GatewayError {
  const raised = readRecord(message);
  if (raised === undefined) return invalidRaiseError('MESSAGE', message, 'an object with code and message');
  const { code, message: text, details, hint } = raised;
  if (typeof code !== 'string' || typeof text !== 'string')
    return invalidRaiseError('MESSAGE', message, 'code and message, both strings');
  const how = readRecord(detail ?? '');
  if (how === undefined) return invalidRaiseError('DETAIL', detail, 'an object with status and headers');
  const status = how['status'];
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return invalidRaiseError('DETAIL', detail, 'status, a number from 200 to 599');
  const headers = readHeaders(how['headers'] ?? {});
  if (typeof headers === 'string') return invalidRaiseError('DETAIL', detail, `headers. ${headers}`);
  return new GatewayError(status, code, text, {
    details: details ?? null,
    hint: typeof hint === 'string' ? hint : null,
    headers,
  });
}

function readRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns headers with lower-case names, or an error message. */
function readHeaders(value: unknown): Record<string, string> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'They are not an object.';
  const headers: Record<string, string> = {};
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== 'string') return `${JSON.stringify(name)} is not a string.`;
    const problem = findHeaderError(name, content);
    if (problem !== undefined) return problem;
    headers[name.toLowerCase()] = content;
  }
  return headers;
}

const invalidRaiseError = (part: string, text: string | null, expected: string): GatewayError =>
  new GatewayError(500, 'PGRST121', `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, {
    details: `Invalid JSON value for ${part}: '${text ?? ''}'`,
    hint: `${part} must be JSON with ${expected}.`,
  });

/** Headers of message framing and connection handling, which SQL must not set. */
const transportHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns why a header from SQL cannot be sent; undefined if it can. */
export function findHeaderError(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return `${JSON.stringify(name)} or its value contains characters that are not allowed in headers.`;
  return transportHeaders.has(name.toLowerCase()) ? `${name} cannot be set.` : undefined;
}

/** Maps an SQLSTATE or its prefix to an HTTP status. */
export interface StatusRule {
  /** Prefix of the SQLSTATE. */
  readonly prefix: string;
  /** The message must match as well. */
  readonly message?: RegExp;
  readonly status: number;
  /** Status for requests without a valid token. */
  readonly anonymousStatus?: number;
  readonly meaning: string;
}

/** The first match wins. Default: 400. */
export const statusRules: readonly StatusRule[] = [
  { prefix: '08', status: 503, meaning: 'Connection failed.' },
  { prefix: '09', status: 500, meaning: 'A trigger action failed.' },
  { prefix: '0L', status: 403, meaning: 'The grantor is invalid.' },
  { prefix: '0P', status: 403, meaning: 'The role is invalid.' },
  { prefix: '23503', status: 409, meaning: 'Foreign key violation.' },
  { prefix: '23505', status: 409, meaning: 'Unique key violation.' },
  { prefix: '25006', status: 405, meaning: 'Write in a read-only transaction.' },
  {
    prefix: '21000',
    message: /requires a WHERE clause$/,
    status: 400,
    meaning: 'Write without filters, where a database extension forbids it.',
  },
  {
    prefix: '21000',
    message: /command cannot affect row a second time$/,
    status: 400,
    meaning: 'Two rows of an upsert have the same key.',
  },
  { prefix: '21000', status: 500, meaning: 'A subquery returned more than one row.' },
  {
    prefix: '22023',
    message: /^role ".*" does not exist$/s,
    status: 401,
    meaning: 'The role in the token does not exist.',
  },
  { prefix: '25', status: 500, meaning: 'Invalid transaction state.' },
  { prefix: '28', status: 403, meaning: 'The role cannot log in.' },
  { prefix: '2D', status: 500, meaning: 'Invalid transaction termination.' },
  { prefix: '38', status: 500, meaning: 'External routine failed.' },
  { prefix: '39', status: 500, meaning: 'External routine invocation failed.' },
  { prefix: '3B', status: 500, meaning: 'Savepoint error.' },
  { prefix: '40', status: 500, meaning: 'The transaction was rolled back.' },
  { prefix: '53400', status: 500, meaning: 'Configuration limit exceeded.' },
  { prefix: '53', status: 503, meaning: 'Insufficient database resources.' },
  { prefix: '54000', status: 400, meaning: 'Value too long for an index or search.' },
  { prefix: '54011', status: 400, meaning: 'Too many columns selected.' },
  { prefix: '54023', status: 400, meaning: 'Too many function arguments.' },
  { prefix: '54', status: 500, meaning: 'Statement too complex.' },
  {
    prefix: '55000',
    message: /^cannot (?:insert into|update|delete from|merge into) /,
    status: 405,
    meaning: 'The view is not updatable.',
  },
  { prefix: '55', status: 500, meaning: 'Object not in the required state.' },
  { prefix: '57P01', status: 503, meaning: 'The database is shutting down.' },
  { prefix: '57', status: 500, meaning: 'Statement canceled by an operator or a timeout (57014).' },
  { prefix: '58', status: 500, meaning: 'Database system error.' },
  { prefix: 'F0', status: 500, meaning: 'Database configuration file error.' },
  { prefix: 'HV', status: 500, meaning: 'Foreign data wrapper error.' },
  { prefix: 'P0001', status: 400, meaning: 'RAISE in a function.' },
  { prefix: 'P0', status: 500, meaning: 'PL/pgSQL error.' },
  { prefix: 'XX', status: 500, meaning: 'Internal database error.' },
  {
    prefix: '42883',
    message: /^function xmlagg\(/,
    status: 406,
    meaning: 'The rows cannot be converted to XML.',
  },
  { prefix: '42883', status: 404, meaning: 'No function with these arguments.' },
  { prefix: '42P01', status: 404, meaning: 'Table not found.' },
  { prefix: '42P17', status: 500, meaning: 'Infinite recursion in a policy or definition.' },
  {
    prefix: '42501',
    status: 403,
    anonymousStatus: 401,
    meaning: 'Permission denied. 401 for requests without a token.',
  },
];

/** @param error SQLSTATE and message */
function getSqlStateStatus(
  error: { readonly code: string; readonly message: string },
  isAuthenticated: boolean,
): number {
  const rule = statusRules.find(
    ({ prefix, message }) => error.code.startsWith(prefix) && (message?.test(error.message) ?? true),
  );
  if (rule === undefined) return 400;
  return isAuthenticated ? rule.status : (rule.anonymousStatus ?? rule.status);
}
