import { createHash, randomUUID } from 'node:crypto';
import type { AppError } from '../../base/errors.ts';
import { timings } from '../../base/timings.ts';
import type { Database, ParallelOptions, Row, SqlValue, Statement } from '../database/database.ts';
import {
  getChannel,
  quoteName,
  type SessionFailure,
  type SessionResult,
  type SessionStep,
} from './messages.ts';
import { damagedServerError, toPostgresError } from './postgres-error.ts';
import { translate } from './translate.ts';
import { PostgresFailure, SyncConnection } from './sync-connection.ts';

/** The connection is closed after this time, in milliseconds; the server ends a single statement earlier. */
const defaultTimeoutMs = 30_000;
/** Timeout of long operations, such as a migration, in milliseconds. */
const longTimeoutMs = 3_600_000;
/**
 * Timeout for the write lock after a wait has failed, in milliseconds: a host that waited for the full time again and
 * again would do nothing else.
 */
const blockedTimeoutMs = 200;

/** A request that is sent with the next one; `result` is set after that. */
interface Pending {
  readonly step: SessionStep;
  /** Whether the request may change rows. */
  readonly isChange?: boolean;
  /** Whether its result may be read after the commit. */
  readonly isAwaited?: boolean;
  result?: SessionResult;
}

/** A running transaction. */
interface Transaction {
  readonly kind: 'read' | 'write' | 'parallel';
  /** Statements without an awaited result; they cost no round trip of their own. */
  pending: Pending[];
  hasStarted: boolean;
  hasWritten: boolean;
  /** Set after an error; later statements are rejected. */
  failure: PostgresFailure | undefined;
  /** Values that are read only once. */
  readonly known: Map<string, () => unknown>;
  readonly locks: Set<string>;
  /** Rolling back a part does not help: the connection was lost, or the failed part is unknown. */
  isOver: boolean;
}

const generatedKeysSql = /* sql */ `
  SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

const bare = (text: string): Pending => ({ step: { text } });

/** The result of a read that was fetched with the commit before it. */
interface ReadAhead {
  readonly key: string;
  /** It is outdated after any other commit. */
  readonly revision: string;
  readonly result: SessionResult;
}

/**
 * One connection to a schema of a PostgreSQL server, in a thread that is waited for. A write transaction first locks
 * the whole schema, so that writers take turns exactly as with SQLite; parallel ones share that lock, and lock what they
 * depend on. A commit notifies the others, once.
 */
export class PostgresDatabase implements Database {
  readonly name: string;
  readonly schema: string;
  readonly #line: SyncConnection;
  readonly #origin = randomUUID().slice(0, 8);
  readonly #lockKey: string;
  readonly #texts = new Map<string, string>();
  #generatedKeys: ReadonlyMap<string, string> | undefined;
  #transaction: Transaction | undefined;
  #isBlocked = false;
  #localCommits = 0;
  #readAhead: ReadAhead | undefined;

  /**
   * @param url without our own parameters
   * @param schema of the server's database; it contains everything of the home
   * @param name the URL as it may be displayed
   */
  constructor(url: string, schema: string, name: string) {
    this.name = name;
    this.schema = schema;
    this.#lockKey = toLockKey(schema);
    this.#line = new SyncConnection({ url, schema, origin: this.#origin, timings });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined {
    return this.all<Result>(sql, ...values)[0];
  }

  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[] {
    const step = { text: this.#translate(sql), values };
    return toObjects<Result>(this.#takeReadAhead(step) ?? this.#execute({ step }));
  }

  defer<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[] {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a deferred read requires a transaction');
    const read: Pending = { step: { text: this.#translate(sql), values }, isAwaited: true };
    transaction.pending.push(read);
    return () => toObjects<Result>(this.#settle(read));
  }

  deferKey(table: string): () => number | null {
    const column = this.#readGeneratedKeys().get(table);
    const key = this.defer<{ key: number }>(
      `SELECT nextval(pg_get_serial_sequence('${table}', '${column}')) AS key`,
    );
    return () => key()[0]!.key;
  }

  /** Sends a statement with the next request, or with the commit, unless its result is read. */
  run(sql: string, ...values: SqlValue[]): { changes: number; key: number } {
    if (this.#transaction === undefined) return this.write(() => this.run(sql, ...values));
    const change: Pending = { step: { text: this.#translate(sql), values }, isChange: true };
    this.#transaction.pending.push(change);
    const settle = (): SessionResult => this.#settle(change);
    return {
      get changes() {
        return settle().rowCount;
      },
      get key() {
        return Number(settle().rows[0]?.[0] ?? 0);
      },
    };
  }

  /** The server itself fails the transaction, which costs no round trip. */
  runOne(_mismatch: () => Error, sql: string, ...values: SqlValue[]): void {
    if (this.#transaction === undefined) throw new Error('a change of one row requires a transaction');
    const text = `WITH changed AS (${this.#translate(sql, false)} RETURNING 1) SELECT 1 / count(*) FROM changed`;
    this.#transaction.pending.push({ step: { text, values }, isChange: true });
  }

  /** Runs PostgreSQL's own SQL. May take long. */
  largeText(text: string): SqlValue {
    return text;
  }

  execute(sql: string): void {
    if (this.#transaction === undefined) return this.write(() => this.execute(sql));
    this.#transaction.pending.push(bare('SET LOCAL statement_timeout = 0'));
    this.#execute({ ...bare(sql), isChange: true }, longTimeoutMs);
    this.#transaction.hasWritten = true;
  }

  commitRevision(): string {
    return `${this.#line.changes}.${this.#localCommits}`;
  }

  /** Returns the number of commits of others, which the connection's thread counts from notifications. */
  dataVersion(): number {
    return this.#line.changes;
  }

  write<Value>(operation: () => Value): Value {
    const lock = `SELECT pg_advisory_xact_lock(${this.#lockKey})`;
    return this.#transact('write', `BEGIN; ${this.#waitText}${lock}`, operation);
  }

  writeParallel<Value>(operation: () => Value, options?: ParallelOptions): Value {
    const lock = `SELECT pg_advisory_xact_lock_shared(${this.#lockKey})`;
    return this.#transact('parallel', `BEGIN; ${this.#waitText}${lock}`, operation, options);
  }

  /** The condition is checked by the server, in the same request: a transaction that finds no row fails. */
  writeIf<Value>(condition: Statement, operation: () => Value, options?: ParallelOptions): Value | undefined {
    const text = `SELECT 1 / count(*) FROM (${this.#translate(condition.sql)}) AS found`;
    const guard: Pending = { step: { text, values: condition.values } };
    try {
      return this.writeParallel(() => {
        this.#transaction!.pending.push(guard);
        return operation();
      }, options);
    } catch (error) {
      const isUnmet =
        error instanceof PostgresFailure &&
        error.failure.code === divisionByZero &&
        error.failure.step === guardStep;
      if (isUnmet) return undefined;
      throw error;
    }
  }

  lock(name: string): void {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a lock requires a transaction');
    // A write transaction is alone.
    if (transaction.kind !== 'parallel' || transaction.locks.has(name)) return;
    transaction.locks.add(name);
    const values = [toLockKey(`${this.schema}/${name}`)];
    transaction.pending.push({
      step: { text: 'SELECT pg_advisory_xact_lock(CAST($1 AS bigint))', values },
    });
  }

  read<Value>(operation: () => Value): Value {
    return this.#transact('read', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', operation);
  }

  savepoint<Value>(operation: () => Value): Value {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a savepoint requires a transaction');
    const begin = bare('SAVEPOINT part');
    transaction.pending.push(begin);
    try {
      const value = operation();
      // An empty savepoint is not sent.
      if (transaction.pending.at(-1) === begin) transaction.pending.pop();
      else transaction.pending.push(bare('RELEASE SAVEPOINT part'));
      return value;
    } catch (error) {
      if (!forget(transaction, begin))
        transaction.pending = [bare('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part')];
      if (!transaction.isOver) transaction.failure = undefined;
      throw error;
    }
  }

  /** Caches a value within a transaction, because each read costs a round trip to the server. */
  readOnce<Value>(name: string, read: () => Value): Value {
    const known = this.#transaction?.known;
    if (known === undefined) return read();
    const value = known.get(name) ?? keep(read());
    known.set(name, value);
    return value() as Value;
  }

  know(name: string, read: () => unknown): void {
    this.#transaction?.known.set(name, read);
  }

  toStoreError(error: unknown): unknown {
    return toPostgresError(error, this.name);
  }

  toDamageError(finding: string): AppError {
    return damagedServerError(this.name, finding);
  }

  close(): void {
    this.#line.close();
  }

  #transact<Value>(
    kind: Transaction['kind'],
    beginText: string,
    operation: () => Value,
    options: ParallelOptions = {},
  ): Value {
    if (this.#transaction !== undefined) throw new Error('a transaction is already active');
    const transaction: Transaction = {
      kind,
      pending: [bare(beginText)],
      hasStarted: false,
      hasWritten: false,
      failure: undefined,
      known: new Map(),
      locks: new Set(),
      isOver: false,
    };
    this.#transaction = transaction;
    try {
      const value = operation();
      this.#commit(transaction, options);
      return value;
    } catch (error) {
      if (transaction.hasStarted && !isGone(transaction)) this.#send('ROLLBACK');
      throw error;
    } finally {
      this.#transaction = undefined;
    }
  }

  /**
   * Commits a transaction, without waiting for the end if it has written nothing. An error that was ignored still
   * counts.
   */
  #commit(transaction: Transaction, { next, isSilent }: ParallelOptions): void {
    const { hasWritten, failure, pending } = transaction;
    if (failure !== undefined) throw failure;
    if (!hasWritten && !pending.some(({ isChange }) => isChange)) {
      if (pending.some(({ isAwaited }) => isAwaited)) this.#flush();
      if (transaction.hasStarted) this.#send('COMMIT');
      return;
    }
    const notice = `NOTIFY ${quoteName(getChannel(this.schema))}, '${this.#origin}'; `;
    pending.push(bare(`${isSilent ? '' : notice}COMMIT`));
    const following: Pending | undefined = next && {
      step: { text: this.#translate(next.sql), values: next.values, isOptional: true },
    };
    if (following !== undefined) pending.push(following);
    // Read before, so that a commit of another connection in between is not missed.
    const changes = this.#line.changes;
    this.#flush({ isCommit: true });
    this.#localCommits += 1;
    this.#readAhead = following?.result && {
      key: toReadKey(following.step),
      revision: `${changes}.${this.#localCommits}`,
      result: following.result,
    };
  }

  /** Returns the result of a read that came with the last commit, once, while nothing has changed since. */
  #takeReadAhead(step: SessionStep): SessionResult | undefined {
    const ahead = this.#readAhead;
    this.#readAhead = undefined;
    if (ahead === undefined || this.#transaction !== undefined || ahead.result.command === '')
      return undefined;
    return ahead.revision === this.commitRevision() && ahead.key === toReadKey(step)
      ? ahead.result
      : undefined;
  }

  #settle(pending: Pending): SessionResult {
    if (pending.result === undefined) this.#flush();
    return pending.result!;
  }

  #execute(statement: Pending, timeoutMs = defaultTimeoutMs): SessionResult {
    if (this.#transaction === undefined)
      return this.#line.ask({ steps: [statement.step], begins: true, timeoutMs })[0]!;
    this.#transaction.pending.push(statement);
    this.#flush({ timeoutMs });
    return statement.result!;
  }

  /** Sends the pending requests and waits for them. */
  #flush({ timeoutMs = defaultTimeoutMs, isCommit = false } = {}): void {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('the transaction of this statement has ended');
    if (transaction.failure !== undefined) throw transaction.failure;
    const { pending, kind } = transaction;
    const begins = !transaction.hasStarted;
    transaction.pending = [];
    transaction.hasStarted = true;
    try {
      const results = this.#line.ask({ steps: pending.map(({ step }) => step), begins, timeoutMs });
      for (const [index, result] of results.entries()) {
        pending[index]!.result = result;
        if (result.rowCount > 0 && result.command !== 'SELECT') transaction.hasWritten = true;
      }
      if (begins && kind !== 'read') this.#isBlocked = false;
    } catch (error) {
      throw error instanceof PostgresFailure ? this.#record(error.failure, pending, isCommit) : error;
    }
  }

  /**
   * Records an error. An error that appears after its statement was issued fails the whole transaction, because it is
   * unknown which part it belongs to.
   */
  #record(failure: SessionFailure, pending: readonly Pending[], isCommit: boolean): PostgresFailure {
    const postgresFailure = new PostgresFailure(failure, isCommit);
    const transaction = this.#transaction!;
    transaction.failure = postgresFailure;
    transaction.isOver = failure.kind !== 'statement' || (failure.step ?? 0) < pending.length - 1;
    if (transaction.kind !== 'read' && failure.code === lockNotAvailable) this.#isBlocked = true;
    return postgresFailure;
  }

  /** Sends a statement and ignores its result. */
  #send(text: string): void {
    this.#line.send({ steps: [{ text }], begins: false, timeoutMs: defaultTimeoutMs });
  }

  get #waitText(): string {
    return this.#isBlocked ? `SET LOCAL lock_timeout = ${blockedTimeoutMs}; ` : '';
  }

  #translate(sql: string, returnsKey = insertion.test(sql)): string {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    const text = translate(sql, returnsKey ? this.#readGeneratedKeys() : new Map());
    this.#texts.set(sql, text);
    return text;
  }

  #readGeneratedKeys(): ReadonlyMap<string, string> {
    return (this.#generatedKeys ??= new Map(
      this.#execute({ step: { text: generatedKeysSql, values: [] } }).rows.map(([table, column]) => [
        String(table),
        String(column),
      ]),
    ));
  }
}

const lockNotAvailable = '55P03';
const divisionByZero = '22012';
/** Index of the condition of `writeIf` among the steps of its request. */
const guardStep = 1;

/** Advisory locks are numbers. */
const toLockKey = (name: string): string =>
  createHash('sha256').update(`stepwright/${name}`).digest().readBigInt64BE().toString();

const keep =
  <Value>(value: Value) =>
  (): Value =>
    value;

const toReadKey = ({ text, values }: SessionStep): string => JSON.stringify([text, values]);
const insertion = /^\s*INSERT\b/;

/** Whether the connection is lost, so that no statement needs to be sent. */
const isGone = ({ failure }: Transaction): boolean =>
  failure !== undefined && failure.failure.kind !== 'statement';

/**
 * Drops the start of a savepoint that was not sent yet, with all later statements. Returns whether that was possible.
 */
function forget(transaction: Transaction, begin: Pending): boolean {
  const index = transaction.pending.indexOf(begin);
  if (index === -1) return false;
  transaction.pending.length = index;
  return true;
}

const toObjects = <Result extends object>({ columns, rows }: SessionResult): Result[] =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]!])) as Result);
