import type { Client, QueryArrayResult, Connection } from 'pg';
import { serialize } from 'pg-protocol';
import { getErrorMessage } from '../../base/errors.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type Statement,
  type StatementResult,
  type Transaction,
  type Setting,
  setStatement,
  beginText,
} from '../../store/sql/database.ts';
import {
  needsReprepare,
  type SentStatement,
  type PreparedBatch,
  type StatementUse,
  type ResultShape,
} from './prepared-statements.ts';
import type { Session } from './sessions.ts';

/** Converts an error of the driver. */
export function toDatabaseError(error: unknown): DatabaseError | DatabaseUnavailable {
  if (error instanceof DatabaseError || error instanceof DatabaseUnavailable) return error;
  const { code, severity, detail, hint, position } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof severity === 'string' && typeof code === 'string')
    return new DatabaseError(getErrorMessage(error), {
      code,
      detail: typeof detail === 'string' ? detail : null,
      hint: typeof hint === 'string' ? hint : null,
      position: typeof position === 'string' ? Number(position) : null,
    });
  return new DatabaseUnavailable(`Lost the connection to the database: ${getErrorMessage(error)}`, 'lost', {
    cause: error,
  });
}

/** Converts an error of a connection attempt. */
export function toConnectError(error: unknown, url: string): DatabaseError | DatabaseUnavailable {
  const described = toDatabaseError(error);
  if (error instanceof DatabaseUnavailable) return error;
  const reason = described instanceof DatabaseError ? described.message : listReasons(error);
  return new DatabaseUnavailable(`Cannot connect to the database ${url}: ${reason}`, 'unreachable', {
    cause: error,
  });
}

/** Joins the reasons of an error. A host name with several addresses fails once per address. */
const listReasons = (cause: unknown): string =>
  cause instanceof AggregateError
    ? cause.errors.map((error: unknown) => getErrorMessage(error)).join('; ')
    : getErrorMessage(cause);

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
  const getResults = ({ results }: BatchResult): readonly StatementResult[] =>
    results.slice(begin.length, begin.length + statements.length);
  const sent = await sendBatch(session, all);
  const isDoubted = end.length > 0 && failedGuard(sent, begin.length + statements.length);
  try {
    if (sent.failure !== undefined && !isDoubted) throw sent.failure;
    if (keeps === undefined || (isCommitted && !isDoubted)) return getResults(sent);
    if (isDoubted) await sendAll(session, ['ROLLBACK TO SAVEPOINT doubt']);
    await sendAll(session, [keeps(getResults(sent)) ? 'COMMIT' : 'ROLLBACK']);
    return getResults(sent);
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
  return { results, failure: toDatabaseError(failure) };
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

/** A protocol message as the driver parses it. */
interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The part of the driver's connection that is used here. */
interface PipelineConnection {
  readonly stream: { write(bytes: Uint8Array): void };
  sendCopyFail(reason: string): void;
}

/** Outcome of a batch. */
interface BatchEnd {
  /** Results of all statements, or of those before the failed one. */
  readonly results: readonly StatementResult[];
  /** The error of the driver. */
  readonly failure?: unknown;
}

const nothingPrepared: Pick<PreparedBatch, 'closes' | 'uses'> = { closes: [], uses: [] };
const ignore = (): void => undefined;
const nothing: ResultShape = { columns: [], typeIds: [] };
const describePortal = serialize.describe({ type: 'P' });
const executePortal = serialize.execute();

/**
 * Statements that are sent together with one Sync at the end. After an error, PostgreSQL skips the rest. Passed to
 * `Client.query`, which calls the methods as responses arrive.
 */
class StatementBatch {
  #statements: readonly SentStatement[];
  #prepared: Pick<PreparedBatch, 'closes' | 'uses'>;
  #results: StatementResult[] = [];
  #shape: ResultShape | undefined;
  #rows: (string | null)[][] = [];
  /** Called by the driver after the last response. */
  callback: (error: unknown) => void;
  #onEnd: (end: BatchEnd) => void;

  /** @param onEnd called once */
  constructor(
    statements: readonly SentStatement[],
    prepared: Pick<PreparedBatch, 'closes' | 'uses'>,
    onEnd: (end: BatchEnd) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#onEnd = onEnd;
    this.callback = (error) => {
      this.#onEnd({ results: this.#results, ...(error !== undefined && { failure: error }) });
      this.#releaseStatements();
    };
  }

  /** Sends all messages in one write, because each write costs as much as all of them together. */
  submit(connection: Connection): void {
    const { closes, uses } = this.#prepared;
    const chunks = closes.map((name) => serialize.close({ type: 'S', name }));
    for (const [index, statement] of this.#statements.entries())
      addStatement(chunks, statement, uses[index]!);
    chunks.push(serialize.sync());
    toPipelineConnection(connection).stream.write(Buffer.concat(chunks));
  }

  /** Releases references. Batches live long enough to reach the old generation of the heap. */
  #releaseStatements(): void {
    this.#statements = [];
    this.#prepared = nothingPrepared;
    this.#results = [];
    this.#rows = [];
    this.#onEnd = ignore;
  }

  handleRowDescription({ fields }: Description): void {
    const columns = fields.map(({ name }) => name);
    this.#shape = { columns, typeIds: fields.map(({ dataTypeID }) => dataTypeID) };
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const shape = this.#shape ?? this.#prepared.uses[this.#results.length]?.shape ?? nothing;
    // The last word is a number, or belongs to another command.
    const affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#results.push({ ...shape, rows: this.#rows, affected });
    this.#shape = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleCopyInResponse(connection: Connection): void {
    toPipelineConnection(connection).sendCopyFail('COPY FROM STDIN is not supported; use INSERT');
  }

  handleCopyData(): void {}

  handlePortalSuspended(): void {
    // Not called, because no row limit is sent.
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined);
  }
}

const toPipelineConnection = (connection: Connection): PipelineConnection =>
  connection as unknown as PipelineConnection;

function addStatement(chunks: Uint8Array[], { text, values }: SentStatement, use: StatementUse): void {
  const { name, isNew, shape } = use;
  if (isNew) chunks.push(serialize.parse({ text, name }));
  chunks.push(serialize.bind({ statement: name, values: values as (string | null)[] }));
  if (shape === undefined) chunks.push(describePortal);
  chunks.push(executePortal);
}
