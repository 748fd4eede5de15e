import type { Logger } from '../../base/logger.ts';
import type { GatewayDatabase, Statement, Setting } from '../../store/sql/database.ts';
import type { Catalog, RoleSettings } from '../catalog/catalog.ts';
import { readRole } from '../catalog/catalog-queries.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { BodyReader } from '../query/body-reader.ts';
import type { TokenVerifier } from '../tokens.ts';
import { privilegesStatement, readPrivileges, buildOpenApi } from '../openapi.ts';
import { getContentType } from '../query/headers.ts';
import { GatewayError } from '../gateway-error.ts';
import { appliedPreferencesHeader, type Outcome, toErrorResponse } from './response.ts';
import {
  type ParsedRequest,
  type Prepared,
  findProfile,
  profileHeaders,
  findTarget,
  type Target,
  Timezones,
  parseRequest,
  getRelationMethods,
  rootMethods,
  getRoutineMethods,
} from './parse-request.ts';
import {
  execute,
  type SessionLimits,
  type TransactionContext,
  checkRole,
  identifyRequester,
  type Requester,
} from './execute.ts';
import { prepare, findRelation } from './prepare.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-service.ts';

/** Dependencies of a gateway. */
export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly database: GatewayDatabase;
  /** Returns the catalog; read at its first use. */
  readonly catalog: () => Promise<Catalog>;
  /** Absent if no key is configured. */
  readonly verifier: TokenVerifier | undefined;
  readonly bodies: BodyReader;
  readonly logger: Logger;
}

/** PostgreSQL over REST, with presentation formats for domains. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #timezones: Timezones;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#timezones = new Timezones(options.database);
  }

  /** Handles a request. Never rejects: errors are responses. */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    const { settings, verifier, logger } = this.#options;
    let requester: Requester | undefined;
    try {
      const target = findTarget(request.method, request.path);
      requester = await identifyRequester(request, settings, verifier);
      return await this.#respond(target, request, requester);
    } catch (error) {
      const failure = toErrorResponse(error, {
        isAuthenticated: requester?.isAuthenticated === true,
        logger,
      });
      return request.method === 'HEAD' ? { ...failure, body: null } : failure;
    }
  }

  async #respond(target: Target, request: GatewayRequest, requester: Requester): Promise<GatewayResponse> {
    const { settings, database } = this.#options;
    const schema = findProfile(request, settings.schemas);
    const catalog = await this.#options.catalog();
    if (requester.isAuthenticated) await this.#checkRole(requester.role, catalog);
    const scope = { catalog, schema };
    if (request.method === 'OPTIONS') return respondToOptions(target, scope);
    const parsed = await parseRequest(request, target, { ...scope, settings, timezones: this.#timezones });
    const { preferences } = parsed;
    const roleSettings = requester.role === undefined ? undefined : catalog.roleSettings(requester.role);
    const session = {
      ...getLimits(request, roleSettings),
      settings: this.#settingsFor(parsed, requester, roleSettings?.settings ?? []),
    };
    const before = this.#before();
    if (target.kind === 'root') {
      const description = await readDescription(parsed, database, { before, session });
      const headers = { ...description.headers, ...profileHeaders(schema, settings.schemas) };
      return { ...description, headers };
    }
    const prepared = await prepare(parsed, target, this.#options.bodies);
    const rollsBack = preferences.tx === 'rollback';
    const outcome = await execute(database, prepared, { before, preferences, rollsBack, session });
    return finish(prepared, parsed, outcome);
  }

  async #checkRole(name: string | undefined, catalog: Catalog): Promise<void> {
    const { database, settings } = this.#options;
    // The anonymous role is configured by the operator and need not be listed as privileged.
    if (name === undefined || name === settings.anonymousRole) return;
    const role = catalog.findRole(name) ?? (await readRole(database, name));
    checkRole(name, role, settings.privilegedRoles);
  }

  /** Returns the session settings of the requester and request. */
  #settingsFor(
    { request, schema, preferences: { timezone } }: ParsedRequest,
    requester: Requester,
    roleSettings: RoleSettings['settings'],
  ): readonly Setting[] {
    const searchPath = [schema, ...this.#options.settings.extraSearchPath];
    return getSettings({ request, requester, roleSettings, searchPath, timezone });
  }

  /** Returns the statements of every transaction's start: the pre-request function, which may reject it. */
  #before(): readonly Statement[] {
    const { preRequest } = this.#options.settings;
    if (preRequest === undefined) return [];
    const call = preRequest.split('.').map(quoteName).join('.');
    return [{ text: `SELECT ${call}()`, values: [] }];
  }
}

/** Returns the limits. Limits of the role override those of the gateway. */
const getLimits = (
  { signal }: GatewayRequest,
  { timeoutMs, isolation }: Partial<RoleSettings> = {},
): Omit<SessionLimits, 'settings'> => ({
  ...(signal && { signal }),
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(isolation && { isolation }),
});

/** Adds the headers common to all responses, and headers and status set by SQL. */
function finish(prepared: Prepared, parsed: ParsedRequest, outcome: Outcome): GatewayResponse {
  const { status, headers, body } = prepared.respond(outcome);
  return {
    status: outcome.status ?? status,
    headers: {
      ...headers,
      ...appliedPreferencesHeader(prepared.kind, parsed.preferences, prepared.ignored),
      ...profileHeaders(parsed.schema, parsed.settings.schemas),
      ...outcome.headers,
    },
    body,
  };
}

/** Request data for a transaction. */
export interface RequestSession {
  readonly request: GatewayRequest;
  readonly requester: Requester;
  /** Settings of the role; settings of the request win. */
  readonly roleSettings?: RoleSettings['settings'];
  /** Exposed schema first, then the extra search path. */
  readonly searchPath: readonly string[];
  /** A time zone that the database knows. */
  readonly timezone?: string | undefined;
}

/**
 * Returns the settings of one transaction: search path, claims, role, and request data for functions and policies. The
 * role comes last, so that it needs no permission to change the others.
 */
export function getSettings({
  request,
  requester,
  roleSettings = [],
  searchPath,
  timezone,
}: RequestSession): readonly Setting[] {
  const { cookie, ...headers } = request.headers;
  return [
    ...roleSettings,
    ['search_path', searchPath.map(quoteName).join(', ')],
    ['request.method', request.method],
    ['request.path', `/${request.path.join('/')}`],
    ['request.headers', toJson(headers)],
    ['request.cookies', toJson(readCookies(cookie))],
    ['request.jwt.claims', requester.claims],
    ...(timezone === undefined ? [] : [['timezone', timezone] as const]),
    ...(requester.role === undefined ? [] : [['role', requester.role] as const]),
  ];
}

/** Serializes a value without NUL, which PostgreSQL text cannot contain. */
const toJson = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '');

function readCookies(header = ''): Record<string, string> {
  const pairs = header.split(';').flatMap((part) => {
    const mark = part.indexOf('=');
    return mark < 0 ? [] : [[part.slice(0, mark).trim(), part.slice(mark + 1).trim()] as const];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

/** Quotes a name for SQL. */
const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Handles the gateway root: describes the exposed schema in OpenAPI, as far as the requesting role may use it. */
async function readDescription(
  { request, catalog, schema, format }: ParsedRequest,
  database: GatewayDatabase,
  { before, session }: Pick<TransactionContext, 'before' | 'session'>,
): Promise<GatewayResponse> {
  const statements = [...before, privilegesStatement(schema)];
  const results = await database.transact({ ...session, isReadOnly: true, statements });
  const access = readPrivileges(results.at(-1)!);
  const document = buildOpenApi({ catalog, schema, access, mount: request.mount });
  return {
    status: 200,
    headers: { 'content-type': getContentType(format) },
    body: request.method === 'HEAD' ? null : JSON.stringify(document),
  };
}

/**
 * Handles `OPTIONS`: returns the allowed methods.
 * @throws GatewayError PGRST205 or PGRST202 for an unknown object
 */
function respondToOptions(
  target: Target,
  scope: { readonly catalog: Catalog; readonly schema: string },
): GatewayResponse {
  return { status: 200, headers: { allow: getMethods(target, scope).join(',') }, body: null };
}

function getMethods(
  target: Target,
  scope: { readonly catalog: Catalog; readonly schema: string },
): readonly string[] {
  if (target.kind === 'root') return rootMethods;
  if (target.kind === 'relation') return getRelationMethods(findRelation(scope, target.name));
  const { catalog, schema } = scope;
  const routines = catalog.findRoutines(schema, target.name);
  if (routines.length > 0) return getRoutineMethods(routines);
  const nearest = catalog.nearestRoutine(schema, target.name);
  throw new GatewayError(
    404,
    'PGRST202',
    `Could not find the function ${schema}.${target.name} in the schema cache`,
    { hint: nearest === undefined ? null : `Perhaps you meant to call the function ${schema}.${nearest}` },
  );
}
