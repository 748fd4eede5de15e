import type { GatewayDatabase } from '../../store/sql/database.ts';
import type { Catalog, Relation, Routine } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { chooseFormat, parsePreferences, intersectRange, parseRange } from '../query/headers.ts';
import { parseQuery } from '../query/parse-query.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Preferences, Query, ResponseFormat } from '../query/query.ts';
import type { Plan } from '../plan/request.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-service.ts';
import type { Preference, RequestKind, Expectations, Outcome } from './response.ts';

/** Dependencies for parsing requests. */
export interface ParseContext {
  readonly settings: GatewaySettings;
  readonly catalog: Catalog;
  readonly schema: string;
  readonly timezones: Timezones;
}

/**
 * Parses a request, except its body.
 * @throws GatewayError for an invalid request
 */
export async function parseRequest(
  request: GatewayRequest,
  target: Target,
  { timezones, ...background }: ParseContext,
): Promise<ParsedRequest> {
  const { method, headers } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const parsed = parseQuery(request.query, { isCall: target.kind === 'routine' && isRead });
  const range = method === 'GET' ? parseRange(headers['range']) : undefined;
  const { prefer } = headers;
  // Most requests name no time zone, and the query is slow.
  const zones = /timezone/i.test(prefer ?? '') ? await timezones.list() : undefined;
  const { allowsTxOverride } = background.settings;
  const isTimezone = (name: string): boolean => zones?.has(name.toLowerCase()) === true;
  return {
    ...background,
    request,
    query: { ...parsed, root: intersectRange(parsed.root, range) },
    preferences: parsePreferences(prefer, { allowsTxOverride, isTimezone }),
    format: chooseFormat(headers['accept'], target.kind === 'root' ? 'description' : 'rows'),
  };
}

/** Target of a path; the catalog decides whether the name exists. */
export type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'routine'; readonly name: string };

const methods = {
  root: ['OPTIONS', 'GET', 'HEAD'],
  relation: ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  routine: ['OPTIONS', 'GET', 'HEAD', 'POST'],
} as const;

/**
 * Parses a path.
 * @throws GatewayError PGRST125 for a wrong depth, PGRST101 and PGRST117 for unsupported methods
 */
export function findTarget(method: string, path: readonly string[]): Target {
  const target = toTarget(path);
  const allowed: readonly string[] = methods[target.kind];
  if (allowed.includes(method)) return target;
  const headers = { allow: allowed.join(',') };
  throw target.kind === 'routine'
    ? new GatewayError(405, 'PGRST101', `Cannot use the ${method} method on RPC`, { headers })
    : new GatewayError(405, 'PGRST117', `Unsupported HTTP method: ${method}`, { headers });
}

function toTarget(path: readonly string[]): Target {
  const [first = '', second = ''] = path;
  if (path.length === 0 || (path.length === 1 && first === '')) return { kind: 'root' };
  if (path.length === 1) return { kind: 'relation', name: first };
  if (path.length === 2 && first === 'rpc' && second !== '') return { kind: 'routine', name: second };
  throw new GatewayError(404, 'PGRST125', 'Invalid path specified in request URL', {
    hint: 'Use /<table or view> or /rpc/<function>.',
  });
}

/** Returns the methods of a relation. PUT needs a primary key. */
export function getRelationMethods({
  isInsertable,
  isUpdatable,
  isDeletable,
  primaryKey,
}: Relation): readonly string[] {
  return [
    ...methods.root,
    ...(isInsertable ? ['POST'] : []),
    ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(isUpdatable ? ['PATCH'] : []),
    ...(isDeletable ? ['DELETE'] : []),
  ];
}

/** Returns the methods of a function. A function that may write has no GET. */
export const getRoutineMethods = (overloads: readonly Routine[]): readonly string[] =>
  overloads.every(({ volatility }) => volatility === 'volatile') ? ['OPTIONS', 'POST'] : methods.routine;

export const rootMethods: readonly string[] = methods.root;

/**
 * Returns the schema of the profile header, or the default schema.
 * @throws GatewayError PGRST106 if it is not exposed
 */
export function findProfile({ method, headers }: GatewayRequest, schemas: readonly string[]): string {
  const reads = method === 'GET' || method === 'HEAD';
  const options = headers[reads ? 'accept-profile' : 'content-profile'];
  const schema = options ?? schemas[0];
  if (schema !== undefined && schemas.includes(schema)) return schema;
  throw new GatewayError(406, 'PGRST106', `Invalid schema: ${schema ?? ''}`, {
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  });
}

/** Returns the profile header if there are several schemas. */
export const profileHeaders = (schema: string, schemas: readonly string[]): Record<string, string> =>
  schemas.length > 1 ? { 'content-profile': schema } : {};

/** Time zones of a database, cached because the query reads a file per zone. */
export class Timezones {
  readonly #database: GatewayDatabase;
  #known: Promise<ReadonlySet<string>> | undefined;

  constructor(database: GatewayDatabase) {
    this.#database = database;
  }

  /** Returns the names in lower case. */
  async list(): Promise<ReadonlySet<string>> {
    this.#known ??= this.#read();
    try {
      return await this.#known;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  async #read(): Promise<ReadonlySet<string>> {
    const statement = { text: 'SELECT lower(name) FROM pg_catalog.pg_timezone_names', values: [] };
    const [result] = await this.#database.transact({ isReadOnly: true, statements: [statement] });
    return new Set(result!.rows.map(([name]) => name ?? ''));
  }
}

/** A parsed request. */
export interface ParsedRequest {
  readonly request: GatewayRequest;
  readonly settings: GatewaySettings;
  readonly catalog: Catalog;
  readonly schema: string;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
}

/** A planned request with its response function. */
export interface Prepared {
  readonly kind: RequestKind;
  readonly plan: Plan;
  readonly expected: Expectations;
  /** Preferences that do not apply to this request. */
  readonly ignored: readonly Preference[];
  /**
   * Builds the response, without the headers common to all responses.
   * @throws GatewayError for an offset beyond the last row
   */
  respond(outcome: Outcome): GatewayResponse;
}
