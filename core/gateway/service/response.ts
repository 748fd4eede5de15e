import { type StatementResult, DatabaseError, DatabaseUnavailable } from '../../store/sql/database.ts';
import { quoteIdentifier } from '../../base/text.ts';
import type { Logger } from '../../base/logger.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { GatewayError } from '../gateway-error.ts';
import { planColumns } from '../plan/request.ts';
import { findHeaderError, toGatewayError } from '../sql-errors.ts';
import type { Preferences } from '../query/query.ts';
import type { GatewayResponse } from './gateway-service.ts';

/** Result of a request's main statement. */
export interface Outcome {
  readonly body: string | null;
  /** Rows read or written. */
  readonly shown: number;
  /** Total without limit and offset; absent if not counted. */
  readonly total?: number;
  /** Number of rows that an upsert inserted. */
  readonly inserted?: number;
  /** Primary key of the only written row, by column, in filter format. */
  readonly key?: Readonly<Record<string, string | null>>;
  readonly headers: GatewayResponse['headers'];
  readonly status?: number;
}

/** The result row of a main statement; undefined from a broken engine. */
export type MainRow = Readonly<Record<(typeof planColumns)[number], string | null>>;

/** Returns the result row by column names. */
export function readMainRow({ columns, rows }: StatementResult): MainRow | undefined {
  const row = rows[0];
  if (row === undefined) return undefined;
  return Object.fromEntries(
    planColumns.map((name) => [name, row[columns.indexOf(name)] ?? null]),
  ) as unknown as MainRow;
}

/**
 * Parses the numbers and headers of the row. The body stays a string.
 * @throws GatewayError PGRST111 or PGRST112 for invalid headers or an invalid status from SQL
 */
export function toOutcome(row: MainRow): Outcome {
  const { total, inserted, key } = row;
  const status = readSqlStatus(row.status);
  return {
    body: row.body,
    shown: Number(row.shown ?? 0),
    ...(total !== null && { total: Number(total) }),
    ...(inserted !== null && { inserted: Number(inserted) }),
    ...(key !== null && { key: JSON.parse(key) as Record<string, string | null> }),
    headers: readSqlHeaders(row.headers),
    ...(status !== undefined && { status }),
  };
}

/** Conditions for the commit. */
export interface Expectations {
  /** Exactly one row. */
  readonly isSingular: boolean;
  /** A PUT writes exactly the row that its URL identifies. */
  readonly isPut: boolean;
  /** `Prefer: max-affected`, if enforced. */
  readonly maxAffected?: number | undefined;
}

/** Returns why the outcome must be rolled back; undefined if it can be committed. */
export function findMismatch(shown: number, expected: Expectations): GatewayError | undefined {
  const { isSingular, isPut, maxAffected } = expected;
  if (isPut && shown !== 1) {
    return new GatewayError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
  }
  if (maxAffected !== undefined && shown > maxAffected) {
    return new GatewayError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${shown} rows`,
    });
  }
  if (isSingular && shown !== 1) {
    return new GatewayError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${shown} rows`,
    });
  }
  return undefined;
}

type Headers = GatewayResponse['headers'];

/**
 * Parses the headers that SQL set with `response.headers`: `[{"Cache-Control": "public"}, …]`. All values of a
 * repeated name are sent.
 * @throws GatewayError PGRST111 if invalid
 */
export function readSqlHeaders(text: string | null): Headers {
  if (text === null || text === '') return {};
  const headers: Record<string, string[]> = {};
  for (const [name, value] of readEntries(text)) (headers[name.toLowerCase()] ??= []).push(value);
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

/**
 * Parses the status that SQL set with `response.status`.
 * @throws GatewayError PGRST112 if invalid
 */
export function readSqlStatus(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new GatewayError(500, 'PGRST112', 'response.status guc must be a valid status code', {
    details: `The value is ${JSON.stringify(text)}; use a number from 200 to 599.`,
  });
}

function readEntries(text: string): [string, string][] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw headersError('The value is not JSON.');
  }
  if (!Array.isArray(list)) throw headersError('The value is not an array.');
  return list.map((item: unknown) => {
    const entries = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    const [name, value] = entries[0] ?? [];
    if (entries.length !== 1 || name === undefined || typeof value !== 'string')
      throw headersError('Each object must have a single key (the header name) with a string value.');
    const problem = findHeaderError(name, value);
    if (problem !== undefined) throw headersError(problem);
    return [name, value];
  });
}

const headersError = (details: string): GatewayError =>
  new GatewayError(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    { details },
  );

/** Rows in a response. */
export interface ReturnedRange {
  readonly offset: number;
  readonly shown: number;
  /** Number of rows without limit and offset; absent if not counted. */
  readonly total?: number | undefined;
}

/** Formats `0-14/15`; `*` represents no rows or an unknown total. */
export function formatContentRange({ offset, shown, total }: ReturnedRange): string {
  const rows = shown > 0 && total !== 0 ? `${offset}-${offset + shown - 1}` : '*';
  return `${rows}/${total ?? '*'}`;
}

/**
 * Returns 206 if there are more rows than returned according to a count, else 200.
 * @throws GatewayError PGRST103 for an offset beyond the last row
 */
export function getRangeStatus({ offset, shown, total }: ReturnedRange): 200 | 206 {
  if (total === undefined) return 200;
  if (offset > total) {
    throw new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}` },
    });
  }
  return shown < total ? 206 : 200;
}

/**
 * Returns the query for a row by its primary key: `id=eq.7`, `a=eq.x&b=is.null`. Values are in filter format, so that
 * the link also works for represented keys (`gateway.md` 1.2, Location).
 * @param key by column; in the order of the key
 */
export const getKeyQuery = (key: Readonly<Record<string, string | null>>): string =>
  Object.entries(key)
    .map(
      ([column, value]) =>
        `${encode(quoteIdentifier(column))}=${value === null ? 'is.null' : `eq.${encode(value)}`}`,
    )
    .join('&');

/** Returns an escaped path, for example `/gateway/my%20table`. */
export const toPath = (mount: string, path: readonly string[]): string =>
  [mount, ...path.map((part) => encodeURIComponent(part))].join('/');

/** Returns the query string with parameters sorted by name, so that equal queries have equal strings. */
export function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Escapes only characters that a query string must not contain. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');

export type Preference = keyof Preferences;

export type RequestKind = 'read' | 'insert' | 'update' | 'put' | 'delete' | 'call';

/** In the order of the header. */
const words = {
  resolution: 'resolution',
  missing: 'missing',
  return: 'return',
  count: 'count',
  tx: 'tx',
  handling: 'handling',
  timezone: 'timezone',
  maxAffected: 'max-affected',
  unfiltered: 'unfiltered',
} as const satisfies Record<Preference, string>;

const order = Object.keys(words) as Preference[];

/** Preferences that apply to every request. */
const always: readonly Preference[] = ['tx', 'handling', 'timezone'];

const heeded: Readonly<Record<RequestKind, readonly Preference[]>> = {
  read: ['count'],
  insert: ['resolution', 'missing', 'return', 'count'],
  update: ['missing', 'return', 'count', 'maxAffected', 'unfiltered'],
  put: ['missing', 'return'],
  delete: ['return', 'count', 'maxAffected', 'unfiltered'],
  call: ['count', 'maxAffected'],
};

/**
 * Returns the `Preference-Applied` header; none without preferences.
 * @param ignored preferences that do not apply to this request
 */
export function appliedPreferencesHeader(
  kind: RequestKind,
  preferences: Preferences,
  ignored: readonly Preference[],
): Record<string, string> {
  const applied = order
    .filter(
      (name) =>
        preferences[name] !== undefined &&
        (heeded[kind].includes(name) || always.includes(name)) &&
        !ignored.includes(name),
    )
    .map((name) => `${words[name]}=${preferences[name]}`);
  return applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {};
}

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
