import { randomUUID } from 'node:crypto';
import type { AppError } from '../../base/errors.ts';
import { systemClock } from '../../base/system-clock.ts';
import type { Database, Row, SqlValue, Statement } from '../database/database.ts';
import {
  getChannel,
  PostgresFailure,
  quoteName,
  type SessionFailure,
  type SessionResult,
  type SessionStep,
} from './requests.ts';
import { damagedServerError, toPostgresError } from './postgres-error.ts';
import {
  type Answer,
  bare,
  divisionByZero,
  forget,
  hasAllReads,
  isGone,
  isUnmet,
  keep,
  MissingResult,
  newTransaction,
  type Pending,
  toAnswer,
  toCheck,
  toGuard,
  toHashedStep,
  toLockKey,
  toSchemaLock,
  toObjects,
  type Transaction,
} from './transaction.ts';
import { Replay } from './replay.ts';
import { generatedKeysSql, isInsertion, translate } from './translate.ts';
import type { PostgresLocation } from './open-postgres.ts';
import { SessionPool } from './session-pool.ts';

/** The connection is closed after this time, in milliseconds; the server ends a single statement earlier. */
const defaultTimeoutMs = 30_000;
/** Timeout of long operations, such as a migration, in milliseconds. */
const longTimeoutMs = 3_600_000;
/** Most tries of an optimistic transaction, before it takes its locks first. */
const maxOptimisticTries = 3;

/**
 * A schema of a PostgreSQL server. Its statements are made by operations, which are repeated until
 * all their requests have replies. A write transaction first locks the whole
 * schema, so that writers take turns exactly as with SQLite; parallel ones share that lock, and lock what they depend on.
 * A commit notifies the others, once.
 */
export class PostgresDatabase implements Database {
  readonly name: string;
  readonly schema: string;
  readonly #pool: SessionPool;
  readonly #origin = randomUUID().slice(0, 8);
  readonly #lockKey: string;
  readonly #texts = new Map<string, string>();
  #generatedKeys: ReadonlyMap<string, string> = new Map();
  #transaction: Transaction | undefined;
  #localCommits = 0;
  #lastOperation = 0;
  readonly #prepare: (database: PostgresDatabase) => void;
  #isOpen = false;
  #opening: Promise<void> | undefined;
  /** The operation that is running now. */
  #replay: Replay | undefined;

  /**
   * @param location its schema contains everything of the home
   * @param prepare creates or migrates the schema, before the first operation
   */
  constructor({ url, schema, name }: PostgresLocation, prepare: (database: PostgresDatabase) => void) {
    this.name = name;
    this.schema = schema;
    this.#prepare = prepare;
    this.#lockKey = toLockKey(schema);
    this.#pool = new SessionPool({ url, schema, origin: this.#origin }, systemClock);
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
    const column = this.#generatedKeys.get(table);
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

  largeText(text: string): SqlValue {
    return text;
  }

  execute(sql: string): void {
    if (this.#transaction === undefined) return this.write(() => this.execute(sql));
    this.#transaction.pending.push(bare('SET LOCAL statement_timeout = 0'));
    this.#execute({ step: { text: sql }, isChange: true }, longTimeoutMs);
    this.#transaction.hasWritten = true;
  }

  commitRevision(): string {
    return `${this.#pool.changes}.${this.#localCommits}`;
  }

  /** Returns the number of commits of others. */
  dataVersion(): number {
    return this.#pool.changes;
  }

  write<Value>(operation: () => Value): Value {
    return this.#transact('write', [bare('BEGIN'), toSchemaLock(this.#lockKey, false)], operation);
  }

  writeParallel<Value>(operation: () => Value): Value {
    return this.#transact('parallel', [bare('BEGIN'), toSchemaLock(this.#lockKey, true)], operation);
  }

  runAlone(sql: string, ...values: SqlValue[]): { readonly changes: number } {
    if (this.#transaction !== undefined) throw new Error('a transaction is already active');
    return { changes: this.#execute({ step: { text: this.#translate(sql), values } }).rowCount };
  }

  async perform<Value>(operation: () => Value | Promise<Value>): Promise<Value> {
    if (!this.#isOpen) await this.#open();
    return await this.#repeat(operation);
  }

  /** Prepares the schema. Fails for all operations that wait for it; the next one tries again. */
  #open(): Promise<void> {
    this.#opening ??= this.#prepareSchema().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #prepareSchema(): Promise<void> {
    this.#generatedKeys = await this.#repeat(() => {
      this.#prepare(this);
      const keys = this.all<{ name: string; key: string }>(generatedKeysSql);
      return new Map(keys.map(({ name, key }) => [name, key]));
    });
    this.#isOpen = true;
  }

  /** Runs an operation until all its requests have replies. */
  async #repeat<Value>(operation: () => Value | Promise<Value>): Promise<Value> {
    const number = (this.#lastOperation += 1);
    const replay = new Replay((request) => this.#pool.request({ ...request, operation: number }));
    for (;;) {
      const done = this.#attempt(replay, operation);
      if (done !== undefined) return await done.value;
      await replay.proceed();
    }
  }

  #attempt<Value>(replay: Replay, operation: () => Value) {
    this.#replay = replay;
    try {
      return replay.attempt(operation);
    } finally {
      this.#replay = undefined;
    }
  }

  /** Sends what is complete in itself. */
  #request(steps: readonly SessionStep[]): Promise<readonly SessionResult[]> {
    const operation = (this.#lastOperation += 1);
    return this.#pool.request({ steps, operation, begins: true, ends: true, timeoutMs: defaultTimeoutMs });
  }

  async transact<Value>(operation: () => Value): Promise<Value> {
    const done = await this.#transactOptimistically(operation);
    if (done !== undefined) return done.value;
    return await this.perform(() => this.writeParallel(operation));
  }

  async transactIf<Value>(condition: Statement, operation: () => Value): Promise<Value | undefined> {
    const guard = toGuard(this.#translate(condition.sql), condition.values);
    try {
      const done = await this.#transactOptimistically(operation, guard);
      if (done !== undefined) return done.value;
      return await this.perform(() => this.#writeIf(guard, operation));
    } catch (error) {
      if (isUnmet(error)) return undefined;
      throw error;
    }
  }

  /** @returns undefined when the operation reads what it has written, or when others keep changing what it reads */
  async #transactOptimistically<Value>(
    operation: () => Value,
    guard?: Pending,
  ): Promise<{ readonly value: Value } | undefined> {
    this.#replay = undefined;
    if (!this.#isOpen) await this.#open();
    for (let count = 0; count < maxOptimisticTries; count += 1) {
      const plan = await this.#plan(operation);
      if (plan === undefined) return undefined;
      if (await this.#carryOut(plan.transaction, guard)) return plan;
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
      const results = await this.#request(steps);
      answers.push(...results.map(toAnswer));
    }
  }

  /** Sends a planned transaction; returns false when an answer is no longer true. */
  async #carryOut({ pending }: Transaction, guard: Pending | undefined): Promise<boolean> {
    if (guard === undefined && !pending.some(({ isChange }) => isChange)) return true;
    const requests = [
      bare('BEGIN'),
      toSchemaLock(this.#lockKey, true),
      ...(guard ? [guard] : []),
      ...pending.filter(({ isVolatile, answer }) => !isVolatile || answer === undefined),
      ...this.#commitRequests(),
    ];
    const steps = requests.map(({ step, answer }) => (answer === undefined ? step : toCheck(step, answer)));
    try {
      const results = await this.#request(steps);
      for (const [index, request] of requests.entries()) request.result ??= results[index]!;
      this.#localCommits += 1;
      return true;
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      const { code, step = 0 } = error.failure;
      if (code === divisionByZero && requests[step]?.answer !== undefined) return false;
      throw new PostgresFailure(error.failure, error.failure.kind === 'lost');
    }
  }

  /** The condition is checked by the server, in the same request: a transaction that finds no row fails. */
  #writeIf<Value>(guard: Pending, operation: () => Value): Value {
    return this.writeParallel(() => {
      this.#transaction!.pending.push(guard);
      return operation();
    });
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
    return this.#transact('read', [bare('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')], operation);
  }

  savepoint<Value>(operation: () => Value): Value {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a savepoint requires a transaction');
    const { locks, pending } = transaction;
    // Rolling back also releases the locks that were taken since.
    transaction.locks = new Set(locks);
    const begin = bare('SAVEPOINT part');
    pending.push(begin);
    try {
      const value = operation();
      // Nothing of an optimistic transaction is sent before its end; and an empty savepoint is not sent at all.
      if (transaction.kind === 'optimistic') pending.splice(pending.indexOf(begin), 1);
      else if (transaction.pending.at(-1) === begin) transaction.pending.pop();
      else transaction.pending.push(bare('RELEASE SAVEPOINT part'));
      return value;
    } catch (error) {
      transaction.locks = locks;
      if (!forget(transaction, begin))
        transaction.pending = [bare('ROLLBACK TO SAVEPOINT part'), bare('RELEASE SAVEPOINT part')];
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
    this.#pool.close();
  }

  #transact<Value>(kind: Transaction['kind'], begin: readonly Pending[], operation: () => Value): Value {
    if (this.#transaction !== undefined) throw new Error('a transaction is already active');
    const transaction = newTransaction(kind);
    transaction.pending.push(...begin);
    this.#transaction = transaction;
    try {
      const value = operation();
      this.#commit(transaction);
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
  #commit(transaction: Transaction): void {
    const { hasWritten, failure, pending } = transaction;
    if (failure !== undefined) throw failure;
    if (!hasWritten && !pending.some(({ isChange }) => isChange)) {
      if (pending.some(({ isAwaited }) => isAwaited)) this.#flush();
      if (transaction.hasStarted) this.#send('COMMIT');
      return;
    }
    pending.push(...this.#commitRequests());
    this.#flush({ isCommit: true });
    this.#localCommits += 1;
  }

  /** The commit is a statement of its own: after a failed one, it ends the transaction. */
  #commitRequests(): Pending[] {
    const notice = bare(`NOTIFY ${quoteName(getChannel(this.schema))}, '${this.#origin}'`);
    return [notice, bare('COMMIT')];
  }

  #settle(pending: Pending): SessionResult {
    if (pending.result === undefined) this.#flush();
    return pending.result!;
  }

  #execute(statement: Pending, timeoutMs = defaultTimeoutMs): SessionResult {
    if (this.#transaction === undefined)
      return this.#current.ask({ steps: [statement.step], begins: true, ends: true, timeoutMs })[0]!;
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
    if (transaction.kind === 'optimistic')
      throw hasAllReads(transaction) ? MissingResult.dependent : MissingResult.independent;
    const { pending, hasStarted } = transaction;
    transaction.pending = [];
    transaction.hasStarted = true;
    try {
      const steps = pending.map(({ step }) => step);
      const results = this.#current.ask({ steps, begins: !hasStarted, ends: isCommit, timeoutMs });
      for (const [index, result] of results.entries()) {
        pending[index]!.result = result;
        if (result.rowCount > 0 && result.command !== 'SELECT') transaction.hasWritten = true;
      }
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
    return postgresFailure;
  }

  #send(text: string): void {
    this.#current.send({
      steps: [{ text, values: [] }],
      begins: false,
      ends: true,
      timeoutMs: defaultTimeoutMs,
    });
  }

  /** The operation that is running. */
  get #current(): Replay {
    if (this.#replay === undefined) throw new Error('a statement requires an operation (see perform)');
    return this.#replay;
  }

  #translate(sql: string, returnsKey = isInsertion(sql)): string {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    const text = translate(sql, returnsKey ? this.#generatedKeys : new Map());
    this.#texts.set(sql, text);
    return text;
  }
}
