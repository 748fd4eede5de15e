import type { Client, QueryArrayResult } from 'pg';
import { beginText } from '../begin-text.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type Statement,
  type StatementResult,
  type Transaction,
} from '../database.ts';
import { isForgotten, type PreparedStatements, type SentStatement } from '../prepared-statements.ts';
import { describeFailure } from './describe-failure.ts';
import { StatementBatch } from './statement-batch.ts';

/** Values stay as PostgreSQL prints them. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** The stream of a connection. */
interface Wire {
  readonly connection?: { readonly stream?: { destroy?(): void } };
}

/** What a connection is used with. */
interface Use {
  readonly timeoutMs: number;
  readonly prepared: PreparedStatements;
}

/** What became of a batch. */
interface BatchEnd {
  /** Of the statements that were carried out. */
  readonly results: readonly StatementResult[];
  readonly failure?: DatabaseError | DatabaseUnavailable;
}

/**
 * Runs a transaction: everything goes out at once, so that it costs one round trip, or
 * two when somebody has to decide about the commit.
 * @throws DatabaseError of the first statement that failed
 * @throws DatabaseUnavailable `lost`
 */
export async function runPipeline(
  client: Client,
  transaction: Transaction,
  { timeoutMs, prepared }: Use,
): Promise<readonly StatementResult[]> {
  const { statements, keeps, doubt } = transaction;
  const limit = `SET LOCAL statement_timeout = ${Math.max(0, Math.trunc(timeoutMs))}`;
  const begin = [usual(beginText(transaction)), usual(limit)];
  const end = doubt !== undefined && keeps !== undefined ? doubtfulEnd(doubt) : [];
  const isCommitted = keeps === undefined || end.length > 0;
  const all = [...begin, ...statements, ...end, ...(isCommitted ? [bare('COMMIT')] : [])];
  const told = ({ results }: BatchEnd): readonly StatementResult[] =>
    results.slice(begin.length, begin.length + statements.length);
  const sent = await sendBatch(client, all, prepared);
  const isDoubted = end.length > 0 && hasDoubt(sent, begin.length + statements.length);
  try {
    if (sent.failure !== undefined && !isDoubted) throw sent.failure;
    if (keeps === undefined || (isCommitted && !isDoubted)) return told(sent);
    if (isDoubted) await sendAll(client, ['ROLLBACK TO SAVEPOINT doubt'], prepared);
    await sendAll(client, [keeps(told(sent)) ? 'COMMIT' : 'ROLLBACK'], prepared);
    return told(sent);
  } catch (thrown) {
    if (!(thrown instanceof DatabaseUnavailable)) await sendAll(client, ['ROLLBACK'], prepared);
    throw thrown;
  }
}

const bare = (text: string): SentStatement => ({ text, values: [] });
const usual = (text: string): SentStatement => ({ text, values: [], isUsual: true });

/** Fails when there is a doubt, so that the commit behind it is passed over; what was done stays as it is. */
const doubtfulEnd = (doubt: string): SentStatement[] => [
  usual('SAVEPOINT doubt'),
  usual(`SELECT 1 OPERATOR(pg_catalog./) CASE WHEN ${doubt} THEN 0 ELSE 1 END`),
];

/** Whether it was the statement behind the savepoint that failed, and no other. */
const hasDoubt = ({ results, failure }: BatchEnd, before: number): boolean =>
  failure instanceof DatabaseError &&
  results.length === before + 1 &&
  (failure.code === divisionByZero || isForgotten(failure));

const divisionByZero = '22012';

async function sendAll(
  client: Client,
  texts: readonly string[],
  prepared: PreparedStatements,
): Promise<void> {
  const { failure } = await sendBatch(client, texts.map(bare), prepared);
  if (failure !== undefined) throw failure;
}

async function sendBatch(
  client: Client,
  statements: readonly SentStatement[],
  prepared: PreparedStatements,
): Promise<BatchEnd> {
  const { closes, uses, settle } = prepared.begin(statements);
  const batch = new StatementBatch(statements, { closes, uses });
  try {
    const results = await client.query(batch).ended;
    settle(results);
    return { results };
  } catch (thrown) {
    settle(batch.results);
    if (isForgotten(thrown)) prepared.forget();
    return { results: batch.results, failure: describeFailure(thrown) };
  }
}

/** Sends a statement by itself. Rejects with what the driver throws. */
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

/** Ends a connection at once: what is under way on it rejects. */
export function breakConnection(client: Client): void {
  (client as unknown as Wire).connection?.stream?.destroy?.();
}
