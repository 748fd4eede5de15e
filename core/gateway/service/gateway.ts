import type { Logger } from '../../base/logger.ts';
import type { Catalog, RoleSettings } from '../catalog/catalog.ts';
import { readRole } from '../catalog/read/role-rows.ts';
import type { GatewayDatabase, Statement } from '../database/database.ts';
import type { Setting } from '../database/setting.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { BodyReader } from '../query/body/body-reader.ts';
import type { TokenVerifier } from '../tokens/token-verifier.ts';
import { appliedPreferencesHeader } from './response/applied-preferences.ts';
import type { ParsedRequest, Prepared } from './parsed-request.ts';
import { execute, type SessionLimits } from './execute.ts';
import { describeSchema } from './response/describe-schema.ts';
import { checkRole } from './parse/check-role.ts';
import { identifyRequester } from './parse/identify.ts';
import { respondToOptions } from './response/options.ts';
import type { Outcome } from './response/outcome.ts';
import { prepare } from './prepare/prepare.ts';
import { findProfile, profileHeaders } from './parse/profile.ts';
import { toErrorResponse } from './response/error-response.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import type { Requester } from './parse/requester.ts';
import { quoteName, settingsOf } from './session.ts';
import { findTarget, type Target } from './parse/target.ts';
import { Timezones } from './parse/timezones.ts';
import { parseRequest } from './parse/parse-request.ts';

/** Dependencies of a gateway. */
export interface GatewayDeps {
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
  readonly #deps: GatewayDeps;
  readonly #timezones: Timezones;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    this.#timezones = new Timezones(deps.database);
  }

  /** Handles a request. Never rejects: errors are responses. */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    const { logger } = this.#deps;
    let requester: Requester | undefined;
    try {
      const target = findTarget(request.method, request.path);
      requester = await identifyRequester(request, this.#deps);
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
    const { settings, database } = this.#deps;
    const schema = findProfile(request, settings.schemas);
    const catalog = await this.#deps.catalog();
    if (requester.isAuthenticated) await this.#checkRole(requester.role, catalog);
    const place = { catalog, schema };
    if (request.method === 'OPTIONS') return respondToOptions(target, place);
    const parsed = await parseRequest(request, target, { ...place, settings, timezones: this.#timezones });
    const { preferences } = parsed;
    const ofRole = requester.role === undefined ? undefined : catalog.roleSettings(requester.role);
    const session = {
      ...limitsOf(request, ofRole),
      settings: this.#settingsFor(parsed, requester, ofRole?.settings ?? []),
    };
    const before = this.#before();
    if (target.kind === 'root') {
      const description = await describeSchema(parsed, database, { before, session });
      const headers = { ...description.headers, ...profileHeaders(schema, settings.schemas) };
      return { ...description, headers };
    }
    const prepared = await prepare(parsed, target, this.#deps.bodies);
    const rollsBack = preferences.tx === 'rollback';
    const outcome = await execute(database, prepared, { before, preferences, rollsBack, session });
    return finish(prepared, parsed, outcome);
  }

  async #checkRole(name: string | undefined, catalog: Catalog): Promise<void> {
    const { database, settings } = this.#deps;
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
    const searchPath = [schema, ...this.#deps.settings.extraSearchPath];
    return settingsOf({ request, requester, roleSettings, searchPath, timezone });
  }

  /** Returns the statements of every transaction's start: the pre-request function, which may reject it. */
  #before(): readonly Statement[] {
    const { preRequest } = this.#deps.settings;
    if (preRequest === undefined) return [];
    const call = preRequest.split('.').map(quoteName).join('.');
    return [{ text: `SELECT ${call}()`, values: [] }];
  }
}

/** Returns the limits. Limits of the role override those of the gateway. */
const limitsOf = (
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
