import type { GatewayDatabase, Statement, StatementResult, Transaction } from '../../store/sql/database.ts';
import { GatewayError } from '../gateway-error.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { TokenVerifier } from '../tokens.ts';
import type { Role } from '../catalog/catalog.ts';
import type { Preferences } from '../query/query.ts';
import type { GatewayRequest } from './gateway-service.ts';
import type { Prepared } from './parse-request.ts';
import { findMismatch, readMainRow, toOutcome, type Expectations, type Outcome } from './response.ts';

/**
 * Returns the requester: of the token, else the anonymous role, else, without a key and only for local requests, the
 * role of the connection.
 * @param verifier undefined if no key is configured
 * @throws GatewayError PGRST300 for a token without a configured key, PGRST301 to 303 for an invalid or missing token
 */
export async function identifyRequester(
  { headers, isLoopback }: GatewayRequest,
  { anonymousRole }: Pick<GatewaySettings, 'anonymousRole'>,
  verifier: TokenVerifier | undefined,
): Promise<Requester> {
  const token = /^bearer\s+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]?.trim();
  if (token !== undefined) {
    if (verifier === undefined)
      throw new GatewayError(500, 'PGRST300', 'Server lacks JWT secret', { hint: 'Set gateway.jwtKey.' });
    const { role = anonymousRole, claims } = await verifier.verify(token);
    if (role === undefined)
      throw anonymousError('The token has no role', 'Add the role to the claim in gateway.jwtRoleClaim');
    return { role, claims, isAuthenticated: true };
  }
  if (anonymousRole !== undefined) {
    const claims = JSON.stringify({ role: anonymousRole });
    return { role: anonymousRole, claims, isAuthenticated: false };
  }
  if (verifier === undefined && isLoopback) return { claims: '{}', isAuthenticated: false };
  throw anonymousError(
    'Anonymous access is disabled',
    verifier === undefined
      ? 'Set gateway.jwtKey and send a token that can be verified with this key'
      : 'Send "Authorization: Bearer TOKEN"',
  );
}

const anonymousError = (message: string, remedy: string): GatewayError =>
  new GatewayError(401, 'PGRST302', message, { hint: `${remedy}, or set gateway.anonymousRole.` });

/**
 * Checks that a token's role may run requests.
 * @param role of the database; undefined if it does not exist. PostgreSQL allows no role named `none`, which `SET
 * ROLE` takes as the role of the connection.
 * @throws GatewayError 22023 for an unknown role, 42501 for a privileged role that is not configured
 */
export function checkRole(name: string, role: Role | undefined, privilegedRoles: readonly string[]): void {
  if (role === undefined || name === 'none')
    throw new GatewayError(401, '22023', `role "${name}" does not exist`);
  const privilege = getPrivilege(role);
  if (privilege === undefined || privilegedRoles.includes(name)) return;
  throw new GatewayError(403, '42501', `permission denied to set role "${name}"`, {
    details: `Tokens cannot use ${privilege}.`,
    hint: 'Use another role in the token, or add this role to gateway.privilegedRoles (ENGINE_GATEWAY_PRIVILEGED_ROLES).',
  });
}

function getPrivilege({ name, isSuperuser, isReplication }: Role): string | undefined {
  if (isSuperuser) return 'a superuser';
  if (name.startsWith('pg_')) return 'a predefined PostgreSQL role';
  return isReplication ? 'a role with REPLICATION' : undefined;
}

/** The identity of a request. */
export interface Requester {
  /** Database role. Default: the role of the connection. */
  readonly role?: string;
  /** JSON string for `request.jwt.claims`. */
  readonly claims: string;
  /** Whether a token was verified. */
  readonly isAuthenticated: boolean;
}

/** Transaction options of a request and its role. */
export type SessionLimits = Pick<Transaction, 'timeoutMs' | 'isolation' | 'signal' | 'settings'>;

/** Statements around the main statement. */
export interface TransactionContext {
  /** Statements at the start of the transaction. */
  readonly before: readonly Statement[];
  readonly preferences: Preferences;
  /** Whether the transaction is always rolled back. */
  readonly rollsBack: boolean;
  readonly session: SessionLimits;
}

/**
 * Runs a request in one transaction, which commits only if the outcome is as expected.
 * @throws GatewayError for an unexpected outcome; DatabaseError and DatabaseUnavailable as the database does
 */
export async function execute(
  database: GatewayDatabase,
  { plan, expected }: Prepared,
  { before, preferences, rollsBack, session }: TransactionContext,
): Promise<Outcome> {
  const { main, explain, isReadOnly } = plan;
  const judge = (results: readonly StatementResult[]): Outcome => {
    const outcome = readOutcome(results, explain !== undefined && preferences.count);
    const mismatch = findMismatch(outcome.shown, expected);
    if (mismatch) throw mismatch;
    return outcome;
  };
  const keeps = (results: readonly StatementResult[]): boolean => {
    if (rollsBack) return false;
    try {
      judge(results);
      return true;
    } catch {
      return false;
    }
  };
  const results = await database.transact({
    ...session,
    isReadOnly,
    statements: [...before, ...(explain ? [explain] : []), main],
    // A read needs no commit decision.
    ...(!isReadOnly && { keeps }),
    ...(!isReadOnly && !rollsBack && isExpected(expected) && { doubt: hasSpoken }),
  });
  return judge(results);
}

/** Whether SQL has set headers or a status, which may prevent the commit. */
const hasSpoken = ['response.headers', 'response.status']
  .map((name) => `coalesce(current_setting('${name}', TRUE), '') <> ''`)
  .join(' OR ');

/** Whether any number of rows is acceptable. */
const isExpected = ({ isSingular, isPut, maxAffected }: Expectations): boolean =>
  !isSingular && !isPut && maxAffected === undefined;

function readOutcome(results: readonly StatementResult[], estimate: Preferences['count'] | false): Outcome {
  const row = readMainRow(results.at(-1)!);
  if (row === undefined) {
    throw new GatewayError(500, 'PGRSTX00', 'The database did not respond to this request', {
      hint: 'No changes were committed. If this happens again, see the engine log for details.',
    });
  }
  const outcome = toOutcome(row);
  if (estimate === false || estimate === undefined) return outcome;
  const planned = readPlanRows(results.at(-2)!);
  // The counted rows are a lower bound of the estimate.
  return { ...outcome, total: estimate === 'planned' ? planned : Math.max(planned, outcome.total ?? 0) };
}

function readPlanRows({ rows }: StatementResult): number {
  const [explained] = JSON.parse(rows.map(([line]) => line).join('\n')) as {
    Plan: { 'Plan Rows': number };
  }[];
  return explained!.Plan['Plan Rows'];
}
