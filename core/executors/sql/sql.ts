import { rename, rm, writeFile } from 'node:fs/promises';
import { pluralize } from '../../base/text/pluralize.ts';
import { messageOf } from '../../base/errors.ts';
import {
  DatabaseError,
  type GatewayDatabase,
  type StatementResult,
} from '../../gateway/database/database.ts';
import { splitScript } from '../../gateway/database/script/split-script.ts';
import type { ActionExecutor, StepContext } from '../executor.ts';
import { formatRows } from './format-rows.ts';
import { limitRows } from './limit-rows.ts';
import { readJob, type SqlJob } from './read-job.ts';

/** Runs SQL on the gateway's database or any PostgreSQL server. Rows go to stdout or to a file. */
export const sqlExecutor: ActionExecutor = {
  async run(context, action, { signal, output }) {
    const job = await readJob(context, action);
    const database = await openSharedDatabase(context, job);
    let results: readonly StatementResult[];
    try {
      results = await runUntilAborted(signal, () => ask(database, job, signal));
    } catch (error) {
      signal.throwIfAborted();
      return { exitCode: 1, error: describeFailure(error) };
    }
    const rows = results.findLast(({ columns }) => columns.length > 0);
    if (rows !== undefined && rows.rows.length > job.maxRows)
      return {
        exitCode: 1,
        error: `the query returns more than ${job.maxRows} rows: add a LIMIT, or raise config.maxRows`,
      };
    if (rows !== undefined) await writeRows(job, formatRows(rows, job.format), output.stdout);
    output.stderr(`${summarize(results, rows)}\n`);
    return { exitCode: 0 };
  },
};

/** Steps of one run that use the same database share its connections. */
const openSharedDatabase = (
  { resources, databases }: StepContext,
  { url }: SqlJob,
): Promise<GatewayDatabase> =>
  resources.get(`sql ${url ?? ''}`, async () => {
    const value = await databases.open(url);
    return { value, close: () => value.close() };
  });

async function ask(
  database: GatewayDatabase,
  job: SqlJob,
  signal: AbortSignal,
): Promise<readonly StatementResult[]> {
  const { sql, values, maxRows, timeoutMs, isReadOnly } = job;
  const common = { isReadOnly, timeoutMs, signal };
  if (values !== undefined) {
    const { statements, at } = limitRows({ text: sql, values }, maxRows);
    const results = await database.transact({ ...common, statements, keeps: (all) => fits(all, maxRows) });
    return [results[at]!];
  }
  const statements = splitScript(sql).map(({ text }) => ({ text, values: [] }));
  if (job.isTransaction)
    return await database.transact({ ...common, statements, keeps: (all) => fits(all, maxRows) });
  const results: StatementResult[] = [];
  for (const statement of statements)
    results.push(...(await database.transact({ ...common, statements: [statement] })));
  return results;
}

/** A statement that fails because it has too many rows must be rolled back. */
const fits = (results: readonly StatementResult[], maxRows: number): boolean =>
  results.every(({ rows }) => rows.length <= maxRows);

/** Runs work, and stops waiting for a connection or a server when the step ends. */
async function runUntilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

async function writeRows(
  { outputFile }: SqlJob,
  text: string,
  stdout: (text: string) => void,
): Promise<void> {
  if (outputFile === undefined) return stdout(text);
  const draft = `${outputFile}.part`;
  try {
    await writeFile(draft, text);
    await rename(draft, outputFile);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`Cannot write config.outputFile, ${outputFile}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function summarize(results: readonly StatementResult[], rows: StatementResult | undefined): string {
  if (rows !== undefined) return countRows(rows.rows.length, '');
  return countRows(
    results.reduce((sum, { affected }) => sum + affected, 0),
    ' written',
  );
}

const countRows = (count: number, what: string): string => `${pluralize(count, 'row')}${what}`;

function describeFailure(error: unknown): string {
  if (!(error instanceof DatabaseError)) return messageOf(error);
  const { message, code, detail, hint } = error;
  return [`${message} (SQLSTATE ${code})`, detail, hint].filter((part) => part !== null).join('\n');
}
