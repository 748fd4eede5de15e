import type { GatewayDatabase, Statement, StatementResult, Transaction } from '../../store/sql/database.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Preferences } from '../query/query.ts';
import type { Prepared } from './parse-request.ts';
import { findMismatch, readMainRow, toOutcome, type Expectations, type Outcome } from './response.ts';

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
