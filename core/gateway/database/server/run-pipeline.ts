import type { Client, QueryArrayResult } from 'pg';
import { beginText } from '../begin-text.ts';
import { DatabaseUnavailable, type Statement, type StatementResult, type Transaction } from '../database.ts';
import { describeFailure } from './describe-failure.ts';

/** Values stay as PostgreSQL prints them. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** The stream of a connection, whose writes can be held back and sent as one. */
interface Wire {
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void; destroy?(): void } };
}

/**
 * Runs a transaction on a connection that pipelines: everything goes out at once, so that it costs one round trip, or
 * two when somebody has to decide about the commit.
 * @throws DatabaseError of the first statement that failed
 * @throws DatabaseUnavailable `lost`
 */
export async function runPipeline(
  client: Client,
  transaction: Transaction,
  timeoutMs: number,
): Promise<StatementResult[]> {
  const { statements, keeps } = transaction;
  const begin = `${beginText(transaction)}; SET LOCAL statement_timeout = ${Math.max(0, Math.trunc(timeoutMs))}`;
  const sent = together(client, () => [
    sendText(client, begin),
    ...statements.map((statement) => send(client, statement)),
    ...(keeps === undefined ? [sendText(client, 'COMMIT')] : []),
  ]);
  // All have ended before anybody else may use the connection, whatever became of the first.
  const ends = await Promise.allSettled(sent);
  const failed = ends.find((end) => end.status === 'rejected');
  const results = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const told = results.slice(1, 1 + statements.length);
  if (keeps === undefined && failed === undefined) return told;
  try {
    if (failed !== undefined) throw describeFailure(failed.reason);
    await sendText(client, keeps!(told) ? 'COMMIT' : 'ROLLBACK');
    return told;
  } catch (thrown) {
    const isOpen = client.getTransactionStatus() !== 'I' && !isLoss(thrown);
    if (isOpen) await sendText(client, 'ROLLBACK');
    throw thrown;
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

async function sendText(client: Client, text: string): Promise<StatementResult> {
  try {
    await client.query(text);
    return { columns: [], rows: [], affected: 0 };
  } catch (thrown) {
    throw describeFailure(thrown);
  }
}

function together<Result>(client: Client, work: () => Result): Result {
  const stream = (client as unknown as Wire).connection?.stream;
  stream?.cork?.();
  try {
    return work();
  } finally {
    stream?.uncork?.();
  }
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
