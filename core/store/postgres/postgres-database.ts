import { createHash, randomUUID } from 'node:crypto';
import type { AppError } from '../../base/errors.ts';
import { timings } from '../../base/timings.ts';
import type { Database, ParallelOptions, Row, SqlValue, Statement } from '../database/database.ts';
import { getChannel, quoteName, type SessionFailure, type SessionResult } from './messages.ts';
import { damagedServerError, toPostgresError } from './postgres-error.ts';
import {
  type Answer,
  bare,
  divisionByZero,
  forget,
  hasAllReads,
  isGone,
  isUnmet,
  MissingResult,
  newTransaction,
  type Pending,
  toAnswer,
  toCheck,
  toHashedStep,
  toObjects,
  type Transaction,
} from './transaction.ts';
import { translate } from './translate.ts';
import { PostgresFailure, ThreadConnection } from './thread-connection.ts';

/** The connection is closed after this time, in milliseconds; the server ends a single statement earlier. */
const defaultTimeoutMs = 30_000;
/** Timeout of long operations, such as a migration, in milliseconds. */
const longTimeoutMs = 3_600_000;
/**
 * Timeout for the write lock after a wait has failed, in milliseconds: a host that waited for the full time again and
 * again would do nothing else.
 */
const blockedTimeoutMs = 200;

/** Most tries of an optimistic transaction, before it takes its locks first. */
const maxOptimisticTries = 3;

const generatedKeysSql = /* sql */ `
  SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

/**
 * One connection to a schema of a PostgreSQL server, in a thread that is waited for. A write transaction first locks
 * the whole schema, so that writers take turns exactly as with SQLite; parallel ones share that lock, and lock what they
 * depend on. A commit notifies the others, once.
 */
export class PostgresDatabase implements Database {
  readonly name: string;
  readonly schema: string;
  readonly #line: ThreadConnection;
  readonly #origin = randomUUID().slice(0, 8);
  readonly #lockKey: string;
  readonly #texts = new Map<string, string>();
  #generatedKeys: ReadonlyMap<string, string> | undefined;
  #transaction: Transaction | undefined;
  #isBlocked = false;
  #localCommits = 0;

  /**
   * @param url without our own parameters
   * @param schema of the server's database; it contains everything of the home
   * @param name the URL as it may be displayed
   */
  constructor(url: string, schema: string, name: string) {
    this.name = name;
    this.schema = schema;
    this.#lockKey = toLockKey(schema);
    this.#line = new ThreadConnection({ url, schema, origin: this.#origin, timings });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined {
    return this.all<Result>(sql, ...values)[0];
  }

  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[] {
    const step = { text: this.#translate(sql), values };
    return toObjects<Result>(this.#execute({ step, isAwaited: true }));
  }

  defer<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[] {
    return this.#defer<Result>(sql, values);
  }

  deferUnchecked<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[] {
    return this.#defer<Result>(sql, values, true);
  }

  #defer<Result extends object>(
    sql: string,
    values: readonly SqlValue[],
    isVolatile = false,
  ): () => Result[] {
    const step = { text: this.#translate(sql), values };
    const read = this.#addRead({ step, isAwaited: true, isVolatile });
    return () => toObjects<Result>(this.#settle(read));
  }

  #addRead(read: Pending): Pending {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a deferred read requires a transaction');
    const { pending, reads, answers, kind } = transaction;
    if (kind === 'optimistic' && !pending.some(({ isChange }) => isChange)) {
      const answer = answers[reads.length];
      reads.push(read);
      if (answer !== undefined) Object.assign(read, { answer, result: answer.result });
    }
    pending.push(read);
    return read;
  }

  deferKey(table: string): () => number | null {
    const column = this.#readGeneratedKeys().get(table);
    const text = `SELECT nextval(pg_get_serial_sequence('${table}', '${column}')) AS key`;
    const read = this.#addRead({ step: { text, values: [] }, isAwaited: true, isVolatile: true });
    return () => Number(this.#settle(read).rows[0]![0]);
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
    return this.#transact('parallel', `BEGIN; ${this.#waitText}${this.#sharedLock}`, operation, options);
  }

  async perform<Value>(operation: () => Value | Promise<Value>): Promise<Value> {
    return operation();
  }

  async query<Result extends object = Row>(sql: string, ...values: SqlValue[]): Promise<Result[]> {
    const step = { text: this.#translate(sql), values };
    const [result] = await this.#line.request({ steps: [step], timeoutMs: defaultTimeoutMs });
    return toObjects<Result>(result!);
  }

  async transact<Value>(operation: () => Value, options: ParallelOptions = {}): Promise<Value> {
    const done = await this.#transactOptimistically(operation, options);
    return done === undefined ? this.writeParallel(operation, options) : done.value;
  }

  async transactIf<Value>(
    condition: Statement,
    operation: () => Value,
    options: ParallelOptions = {},
  ): Promise<Value | undefined> {
    const guard = this.#toGuard(condition);
    try {
      const done = await this.#transactOptimistically(operation, options, guard);
      return done === undefined ? this.writeIf(condition, operation, options) : done.value;
    } catch (error) {
      if (isUnmet(error)) return undefined;
      throw error;
    }
  }

  /** @returns undefined when the operation reads what it has written, or when others keep changing what it reads */
  async #transactOptimistically<Value>(
    operation: () => Value,
    options: ParallelOptions,
    guard?: Pending,
  ): Promise<{ readonly value: Value } | undefined> {
    this.#readGeneratedKeys();
    for (let count = 0; count < maxOptimisticTries; count += 1) {
      const plan = await this.#plan(operation);
      if (plan === undefined) return undefined;
      if (await this.#carryOut(plan.transaction, options, guard)) return plan;
    }
    return undefined;
  }

  /** Runs the operation on answers that are read without locks. */
  async #plan<Value>(
    operation: () => Value,
  ): Promise<{ readonly value: Value; readonly transaction: Transaction } | undefined> {
    const answers: Answer[] = [];
    for (;;) {
      const transaction = newTransaction('optimistic', answers);
      this.#transaction = transaction;
      try {
        return { value: operation(), transaction };
      } catch (error) {
        if (!(error instanceof MissingResult)) throw error;
        if (error.isDependent) return undefined;
      } finally {
        this.#transaction = undefined;
      }
      const steps = transaction.reads.slice(answers.length).map(({ step }) => toHashedStep(step));
      const results = await this.#line.request({ steps, timeoutMs: defaultTimeoutMs });
      answers.push(...results.map(toAnswer));
    }
  }

  /** Sends a planned transaction; returns false when an answer is no longer true. */
  async #carryOut(
    { pending }: Transaction,
    options: ParallelOptions,
    guard: Pending | undefined,
  ): Promise<boolean> {
    if (guard === undefined && !pending.some(({ isChange }) => isChange)) return true;
    const begin = bare(`BEGIN; ${this.#sharedLock}`);
    const requests = [
      begin,
      ...(guard ? [guard] : []),
      ...pending.filter(({ isVolatile, answer }) => !isVolatile || answer === undefined),
      ...this.#commitRequests(options),
    ];
    const steps = requests.map(({ step, answer }) => (answer === undefined ? step : toCheck(step, answer)));
    try {
      const results = await this.#line.request({ steps, timeoutMs: defaultTimeoutMs });
      for (const [index, request] of requests.entries()) request.result ??= results[index]!;
      this.#countCommit(options);
      return true;
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      const { code, step = 0 } = error.failure;
      if (code === divisionByZero && requests[step]?.answer !== undefined) return false;
      throw new PostgresFailure(error.failure, error.failure.kind === 'lost');
    }
  }

  /** The condition is checked by the server, in the same request: a transaction that finds no row fails. */
  writeIf<Value>(condition: Statement, operation: () => Value, options?: ParallelOptions): Value | undefined {
    const guard = this.#toGuard(condition);
    try {
      return this.writeParallel(() => {
        this.#transaction!.pending.push(guard);
        return operation();
      }, options);
    } catch (error) {
      if (isUnmet(error)) return undefined;
      throw error;
    }
  }

  #toGuard({ sql, values }: Statement): Pending {
    return { step: { text: `SELECT 1 / count(*) FROM (${this.#translate(sql)}) AS found`, values } };
  }

  get #sharedLock(): string {
    return `SELECT pg_advisory_xact_lock_shared(${this.#lockKey})`;
  }

  lock(name: string): void {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a lock requires a transaction');
    // A write transaction is alone.
    if (transaction.kind === 'write' || transaction.locks.has(name)) return;
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
    const transaction = newTransaction(kind);
    transaction.pending.push(bare(beginText));
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
  #commit(transaction: Transaction, options: ParallelOptions): void {
    const { hasWritten, failure, pending } = transaction;
    if (failure !== undefined) throw failure;
    if (!hasWritten && !pending.some(({ isChange }) => isChange)) {
      if (pending.some(({ isAwaited }) => isAwaited)) this.#flush();
      if (transaction.hasStarted) this.#send('COMMIT');
      return;
    }
    pending.push(...this.#commitRequests(options));
    this.#flush({ isCommit: true });
    this.#countCommit(options);
  }

  /** Nothing has to be read after a silent commit. */
  #countCommit({ isSilent = false }: ParallelOptions): void {
    if (!isSilent) this.#localCommits += 1;
  }

  /** The commit is a statement of its own: after a failed one, it ends the transaction. */
  #commitRequests({ isSilent }: ParallelOptions): Pending[] {
    const notice = bare(`NOTIFY ${quoteName(getChannel(this.schema))}, '${this.#origin}'`);
    return [...(isSilent ? [] : [notice]), bare('COMMIT')];
  }

  #settle(pending: Pending): SessionResult {
    if (pending.result === undefined) this.#flush();
    return pending.result!;
  }

  #execute(statement: Pending, timeoutMs = defaultTimeoutMs): SessionResult {
    if (this.#transaction === undefined)
      return this.#line.ask({ steps: [statement.step], begins: true, timeoutMs })[0]!;
    if (statement.isAwaited) this.#addRead(statement);
    else this.#transaction.pending.push(statement);
    if (statement.result === undefined) this.#flush({ timeoutMs });
    return statement.result!;
  }

  /** Sends the pending requests and waits for them. */
  #flush({ timeoutMs = defaultTimeoutMs, isCommit = false } = {}): void {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('the transaction of this statement has ended');
    if (transaction.failure !== undefined) throw transaction.failure;
    if (transaction.kind === 'optimistic') throw new MissingResult(hasAllReads(transaction));
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
/** Advisory locks are numbers. */
export const toLockKey = (name: string): string =>
  createHash('sha256').update(`stepwright/${name}`).digest().readBigInt64BE().toString();

const keep =
  <Value>(value: Value) =>
  (): Value =>
    value;

const insertion = /^\s*INSERT\b/;
