import { untilAborted } from '../base/wait.ts';
import { rename, rm, writeFile, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pluralize, stripBom } from '../base/text.ts';
import { getErrorMessage } from '../base/errors.ts';
import { DatabaseError, type GatewayDatabase, type StatementResult } from '../store/sql/database.ts';
import { limitRows } from '../store/sql/limit-rows.ts';
import { splitScript } from '../store/sql/split-script.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { sqlTable, type RowFormat } from '../model/executor-config.ts';
import type { ExecutorAction } from '../model/step.ts';
import type { ActionExecutor, StepContext } from './executor.ts';
import { evaluateConfig } from './evaluate-config.ts';

/** Runs SQL on the gateway's database or any PostgreSQL server. Rows go to stdout or to a file. */
export const executor: ActionExecutor = {
  async run(context, action, { signal, output }) {
    const job = await readJob(context, action);
    const database = await openSharedDatabase(context, job);
    let results: readonly StatementResult[];
    try {
      results = await untilAborted(signal, () => ask(database, job, signal));
    } catch (error) {
      signal.throwIfAborted();
      return { exitCode: 1, error: formatFailure(error) };
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
    throw new Error(`Cannot write config.outputFile, ${outputFile}: ${getErrorMessage(error)}`, {
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

function formatFailure(error: unknown): string {
  if (!(error instanceof DatabaseError)) return getErrorMessage(error);
  const { message, code, detail, hint } = error;
  return [`${message} (SQLSTATE ${code})`, detail, hint].filter((part) => part !== null).join('\n');
}

/** The configuration of an `sql` step. */
interface SqlJob {
  /** Undefined for the gateway's database. */
  readonly url: string | undefined;
  readonly sql: string;
  /** Undefined for a script, which may have several statements. */
  readonly values: readonly (string | null)[] | undefined;
  readonly format: RowFormat;
  /** Absolute path. */
  readonly outputFile: string | undefined;
  readonly maxRows: number;
  /** 0 for no timeout. */
  readonly timeoutMs: number;
  readonly isTransaction: boolean;
  readonly isReadOnly: boolean;
}

const usualRows = 100_000;
const usualSeconds = 300;

/** Reads the configuration of a step. Rejects with a message if a value is invalid or a file cannot be read. */
async function readJob(context: StepContext, action: ExecutorAction): Promise<SqlJob> {
  const config = await evaluateConfig(sqlTable, action.config as JsonObject, context.expand);
  const { connection = 'gateway', queryFile, outputFile } = config;
  const resolvePath = (file: string): string => resolve(context.workingDir, file);
  return {
    url: connection.trim() === 'gateway' ? undefined : connection.trim(),
    sql:
      queryFile === undefined
        ? (action.script ?? action.command ?? '')
        : await readQuery(resolvePath(queryFile)),
    values: action.script === undefined ? readValues(config.parameters) : undefined,
    format: config.format ?? 'jsonl',
    outputFile: outputFile === undefined ? undefined : resolvePath(outputFile),
    maxRows: config.maxRows ?? usualRows,
    timeoutMs: Math.max(0, config.timeout ?? usualSeconds) * 1000,
    isTransaction: config.transaction ?? true,
    isReadOnly: config.readOnly ?? false,
  };
}

async function readQuery(file: string): Promise<string> {
  try {
    return stripBom(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read config.queryFile, ${file}: ${getErrorMessage(error)}`, { cause: error });
  }
}

/** Reads a list, or a string from a reference that contains one. */
function readValues(parameters: JsonValue | undefined): (string | null)[] {
  const list = typeof parameters === 'string' ? parseList(parameters) : (parameters ?? []);
  if (!Array.isArray(list))
    throw new Error(
      'config.parameters must be a list of values, such as ["${DAY}", 10]: one value for each $1, $2, …',
    );
  return list.map((value) => {
    if (value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function parseList(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** PostgreSQL type OIDs whose printed values are valid JSON. */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
const jsonTypes: ReadonlySet<number> = new Set([114, 3802]);
const flagType = 16;

/** `NaN` and `Infinity` are numbers in PostgreSQL, but not in JSON. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Formats the rows. Numbers keep all digits. */
function formatRows(result: StatementResult, format: RowFormat): string {
  if (format === 'csv') return formatCsv(result);
  const objects = result.rows.map((row) => formatObject(result, row));
  if (format === 'jsonl') return objects.map((object) => `${object}\n`).join('');
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`;
}

function formatObject({ columns, typeIds = [] }: StatementResult, row: readonly (string | null)[]): string {
  const members = columns.map(
    (name, at) => `${JSON.stringify(name)}:${formatValue(row[at] ?? null, typeIds[at] ?? 0)}`,
  );
  return `{${members.join(',')}}`;
}

function formatValue(value: string | null, typeId: number): string {
  if (value === null) return 'null';
  if (numberTypes.has(typeId) && jsonNumber.test(value)) return value;
  if (typeId === flagType) return value === 't' ? 'true' : 'false';
  // Line breaks are insignificant in JSON and would split an object across lines.
  if (jsonTypes.has(typeId)) return value.replaceAll(/[\r\n]+/g, ' ');
  return JSON.stringify(value);
}

const formatCsv = ({ columns, rows }: StatementResult): string =>
  [columns, ...rows].map((row) => `${row.map(formatCell).join(',')}\n`).join('');

/** Formats a value as PostgreSQL's COPY does: an empty cell is NULL, and empty quotes are an empty string. */
function formatCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
