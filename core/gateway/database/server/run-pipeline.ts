import type { Client, QueryArrayResult } from 'pg';
import { beginText } from '../begin-text.ts';
import { DatabaseUnavailable, type Statement, type StatementResult, type Transaction } from '../database.ts';
import { isForgotten, type PreparedStatements } from '../prepared-statements.ts';
import { describeFailure } from './describe-failure.ts';
import { StatementBatch } from './statement-batch.ts';

/** Values stay as PostgreSQL prints them. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** The stream of a connection. */
interface Wire {
  readonly connection?: { readonly stream?: { destroy?(): void } };
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
  { timeoutMs, prepared }: { readonly timeoutMs: number; readonly prepared: PreparedStatements },
): Promise<StatementResult[]> {
  const { statements, keeps } = transaction;
  const sendAll = (all: readonly Statement[]) => sendBatch(client, all, prepared);
  const limit = `SET LOCAL statement_timeout = ${Math.max(0, Math.trunc(timeoutMs))}`;
  const before = [bare(beginText(transaction)), bare(limit)];
  try {
    const all = [...before, ...statements, ...(keeps === undefined ? [bare('COMMIT')] : [])];
    const results = await sendAll(all);
    const told = results.slice(before.length, before.length + statements.length);
    if (keeps !== undefined) await sendAll([bare(keeps(told) ? 'COMMIT' : 'ROLLBACK')]);
    return told;
  } catch (thrown) {
    if (!isLoss(thrown)) await sendAll([bare('ROLLBACK')]);
    throw thrown;
  }
}

const bare = (text: string): Statement => ({ text, values: [] });

async function sendBatch(
  client: Client,
  statements: readonly Statement[],
  prepared: PreparedStatements,
): Promise<readonly StatementResult[]> {
  const { closes, uses, settle } = prepared.begin(statements);
  try {
    const results = await client.query(new StatementBatch(statements, { closes, uses })).ended;
    settle(true);
    return results;
  } catch (thrown) {
    settle(false);
    if (isForgotten(thrown)) prepared.forget();
    throw describeFailure(thrown);
  }
}

const isLoss = (thrown: unknown): boolean => thrown instanceof DatabaseUnavailable;

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
