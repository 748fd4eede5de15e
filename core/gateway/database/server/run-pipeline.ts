import type { Client, QueryArrayResult } from 'pg';
import { beginText } from '../begin-text.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type Statement,
  type StatementResult,
  type Transaction,
} from '../database.ts';
import { needsReprepare, type SentStatement } from '../prepared-statements.ts';
import { type Setting, setStatement } from '../setting.ts';
import { describeFailure } from './describe-failure.ts';
import type { Session } from './sessions.ts';
import { type BatchEnd, StatementBatch } from './statement-batch.ts';

/** Values stay as PostgreSQL prints them. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** The stream of a connection. */
interface Wire {
  readonly connection?: { readonly stream?: { destroy?(): void } };
}

/** Outcome of a batch. */
interface BatchResult {
  /** Results of the completed statements. */
  readonly results: readonly StatementResult[];
  readonly failure?: DatabaseError | DatabaseUnavailable;
}

/**
 * Runs a transaction. All messages are sent at once, so that it takes one round trip, or two if the commit needs a
 * decision.
 * @param timeoutMs timeout of each statement; 0 for no limit
 * @throws DatabaseError of the first failed statement
 * @throws DatabaseUnavailable `lost`
 */
export async function runPipeline(
  session: Session,
  transaction: Transaction,
  timeoutMs: number,
): Promise<readonly StatementResult[]> {
  const limit: Setting = ['statement_timeout', String(Math.max(0, Math.trunc(timeoutMs)))];
  const results = canOmitTransaction(transaction, session)
    ? await runWithImplicitTransaction(session, transaction, limit)
    : undefined;
  return results ?? (await runWithExplicitTransaction(session, transaction, limit));
}

/**
 * Whether `BEGIN` and `COMMIT` can be omitted: pipelined statements form one transaction (PostgreSQL, "Pipelining")
 * unless they begin or end one. Each of the two takes as long as a small statement.
 */
const canOmitTransaction = (
  { isReadOnly, isolation, keeps, settings }: Transaction,
  { isUsual }: Session,
): boolean =>
  isReadOnly && isUsual && isolation === undefined && keeps === undefined && settings !== undefined;

/** Settings that `BEGIN` would make. The isolation level cannot be changed at this point; this fails if it differs. */
const asRead: readonly Setting[] = [
  ['transaction_isolation', 'read committed'],
  ['transaction_read_only', 'on'],
];

/** @returns undefined if the session has a different default isolation level; nothing was executed */
async function runWithImplicitTransaction(
  session: Session,
  { statements, settings = [] }: Transaction,
  limit: Setting,
): Promise<readonly StatementResult[] | undefined> {
  const all = [setStatement([...asRead, limit, ...settings]), ...statements];
  const { results, failure } = await sendBatch(session, all);
  if (failure === undefined) return results.slice(1);
  if (!(failure instanceof DatabaseError && failure.code === tooLate && results.length === 0)) throw failure;
  session.isUsual = false;
  return undefined;
}

/** SQLSTATE of a setting that must be made at the start of a transaction. */
const tooLate = '25001';

async function runWithExplicitTransaction(
  session: Session,
  transaction: Transaction,
  limit: Setting,
): Promise<readonly StatementResult[]> {
  const { statements, settings = [], keeps, doubt } = transaction;
  const begin = [toSentStatement(beginText(transaction)), setStatement([limit, ...settings])];
  const end = doubt !== undefined && keeps !== undefined ? guardedCommit(doubt) : [];
  const isCommitted = keeps === undefined || end.length > 0;
  const all = [
    ...begin,
    ...statements,
    ...end,
    ...(isCommitted ? [end.length > 0 ? toSentStatement('COMMIT') : bare('COMMIT')] : []),
  ];
  const resultsOf = ({ results }: BatchResult): readonly StatementResult[] =>
    results.slice(begin.length, begin.length + statements.length);
  const sent = await sendBatch(session, all);
  const isDoubted = end.length > 0 && failedGuard(sent, begin.length + statements.length);
  try {
    if (sent.failure !== undefined && !isDoubted) throw sent.failure;
    if (keeps === undefined || (isCommitted && !isDoubted)) return resultsOf(sent);
    if (isDoubted) await sendAll(session, ['ROLLBACK TO SAVEPOINT doubt']);
    await sendAll(session, [keeps(resultsOf(sent)) ? 'COMMIT' : 'ROLLBACK']);
    return resultsOf(sent);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) await sendAll(session, ['ROLLBACK']);
    throw error;
  }
}

const bare = (text: string): SentStatement => ({ text, values: [] });
const toSentStatement = (text: string): SentStatement => ({ text, values: [], isUsual: true });

/** Fails if the condition holds, so that the following commit is skipped. The transaction stays open. */
const guardedCommit = (doubt: string): SentStatement[] => [
  toSentStatement('SAVEPOINT doubt'),
  toSentStatement(`SELECT 1 OPERATOR(pg_catalog./) CASE WHEN ${doubt} THEN 0 ELSE 1 END`),
];

/** Whether the statement after the savepoint was the one that failed. */
const failedGuard = ({ results, failure }: BatchResult, before: number): boolean =>
  failure instanceof DatabaseError &&
  results.length === before + 1 &&
  (failure.code === divisionByZero || needsReprepare(failure));

const divisionByZero = '22012';

async function sendAll(session: Session, texts: readonly string[]): Promise<void> {
  const { failure } = await sendBatch(session, texts.map(bare));
  if (failure !== undefined) throw failure;
}

async function sendBatch(
  { client, prepared }: Session,
  statements: readonly SentStatement[],
): Promise<BatchResult> {
  const { closes, uses, settle } = prepared.begin(statements);
  const { results, failure } = await new Promise<BatchEnd>((resolve) =>
    client.query(new StatementBatch(statements, { closes, uses }, resolve)),
  );
  settle(results);
  if (failure === undefined) return { results };
  if (needsReprepare(failure)) prepared.forget();
  return { results, failure: describeFailure(failure) };
}

/** Sends a single statement. Rejects with the error of the driver. */
export async function send(client: Client, { text, values }: Statement): Promise<StatementResult> {
  const result = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
    queryMode: 'extended',
  } as { text: string; values: (string | null)[]; rowMode: 'array' });
  return readResult(result);
}

const readResult = ({ fields, rows, rowCount }: QueryArrayResult<(string | null)[]>): StatementResult => ({
  columns: fields.map(({ name }) => name),
  typeIds: fields.map(({ dataTypeID }) => dataTypeID),
  rows,
  affected: rowCount ?? 0,
});

/** Closes a connection immediately. Pending statements reject. */
export function destroyConnection(client: Client): void {
  (client as unknown as Wire).connection?.stream?.destroy?.();
}
