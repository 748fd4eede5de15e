import Sqlite from 'better-sqlite3';
import type { AppError } from '../../base/errors.ts';
import { timings } from '../../base/timings.ts';
import type { Database, Row, SqlValue, Statement } from './database.ts';
import { corruptDatabaseError, toSqliteError } from './store-error.ts';

/**
 * Timeout for another process's transaction after a wait has failed, in milliseconds: the holder of the lock may be
 * halted, and a host that waited for the full time again and again would do nothing else.
 */
const blockedTimeoutMs = 200;
/** How often, and with which pause in milliseconds, entering WAL mode is retried. */
const walAttempts = 250;
const walPauseMs = 20;
/** Bytes that the write-ahead log is truncated to after a checkpoint. */
const journalSizeLimit = 8 * 1024 * 1024;

/** Pages of the write-ahead log after which a commit runs a checkpoint: the default of SQLite. */
const checkpointPages = 1000;

/**
 * One connection to one SQLite file: prepared statements and transactions. Errors are SQLite's own;
 * `toSqliteError` converts them to application errors.
 */
export class SqliteDatabase implements Database {
  readonly file: string;
  readonly #connection: Sqlite.Database;
  readonly #pause: () => void;
  #isBlocked = false;
  #checkpoint: NodeJS.Immediate | undefined;
  readonly #statements = new Map<string, Sqlite.Statement<SqlValue[], Row>>();

  /**
   * @param file path, or `:memory:`
   * @param pause waits briefly, blocking; nothing else runs while the database is opened
   */
  constructor(file: string, pause: () => void = blockBriefly) {
    this.file = file;
    this.#pause = pause;
    this.#connection = new Sqlite(file, { timeout: timings.databaseLock });
  }

  /** Sets the options that are per connection. */
  configure(): void {
    const connection = this.#connection;
    // Only has an effect on a file without pages: freed pages can then be returned a few at a time. Any other file
    // would be written to, even if the value does not change.
    if (connection.pragma('page_count', { simple: true }) === 0)
      connection.pragma('auto_vacuum = INCREMENTAL');
    this.#enterWal();
    // After WAL: better-sqlite3 is built to fall back to NORMAL there, which does not sync commits.
    connection.pragma('synchronous = FULL');
    connection.pragma('fullfsync = ON');
    connection.pragma('foreign_keys = ON');
    connection.pragma(`journal_size_limit = ${journalSizeLimit}`);
  }

  /**
   * Enters WAL mode. Changing the mode needs exclusive access: when two processes open a new file together, SQLite
   * rejects one of them at once, without the busy timeout; a moment later the other has made the change.
   */
  #enterWal(): void {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.#connection.pragma('journal_mode', { simple: true }) === 'wal') return;
        this.#connection.pragma('journal_mode = WAL');
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === walAttempts) throw error;
        this.#pause();
      }
    }
  }

  get name(): string {
    return this.file;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined {
    return this.#prepare(sql).get(...values) as Result | undefined;
  }

  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[] {
    return this.#prepare(sql).all(...values) as Result[];
  }

  /** Returns rows one by one, so that those before an unreadable one are available. */
  each<Result extends object = Row>(sql: string, ...values: SqlValue[]): Iterable<Result> {
    return this.#prepare(sql).iterate(...values) as Iterable<Result>;
  }

  /** The same with rows as lists of values, which takes half the time. */
  eachArray(sql: string, ...values: SqlValue[]): Iterable<SqlValue[]> {
    return this.#connection
      .prepare<SqlValue[], SqlValue[]>(sql)
      .raw()
      .iterate(...values);
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; key: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes, key: Number(lastInsertRowid) };
  }

  defer<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[] {
    const rows = this.all<Result>(sql, ...values);
    return () => rows;
  }

  deferUnchecked<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[] {
    return this.defer<Result>(sql, ...values);
  }

  deferKey(): () => null {
    return () => null;
  }

  runOne(mismatch: () => Error, sql: string, ...values: SqlValue[]): void {
    if (this.#prepare(sql).run(...values).changes !== 1) throw mismatch();
  }

  largeText(text: string, encoded: Uint8Array | undefined): SqlValue {
    return encoded ?? text;
  }

  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Returns a number that SQLite stores about the file or the connection. */
  pragma(name: string): number {
    return Number(Object.values(this.get(`PRAGMA ${name}`) ?? {})[0]);
  }

  /** SQLite counts the rows that this connection has changed. */
  commitRevision(): string {
    const { changes } = this.get<{ changes: number }>('SELECT total_changes() AS changes')!;
    return `${this.dataVersion()}.${changes}`;
  }

  /** SQLite counts the commits of other connections. */
  dataVersion(): number {
    return this.pragma('data_version');
  }

  toStoreError(error: unknown): unknown {
    return toSqliteError(error, this.file);
  }

  toDamageError(finding: string): AppError {
    return corruptDatabaseError(this.file, finding);
  }

  /**
   * Takes the write lock at once, because a transaction that starts with a read fails with BUSY, without waiting, when
   * another process writes meanwhile.
   */
  write<Value>(operation: () => Value, isLarge = false): Value {
    if (isLarge) this.#beginLarge();
    try {
      this.#takeWriteLock();
      return this.#transact(operation);
    } finally {
      if (isLarge) this.#endLarge();
    }
  }

  writeParallel<Value>(operation: () => Value): Value {
    return this.write(operation);
  }

  runAlone(sql: string, ...values: SqlValue[]): { readonly changes: number } {
    return this.write(() => this.run(sql, ...values));
  }

  async perform<Value>(operation: () => Value | Promise<Value>): Promise<Value> {
    return operation();
  }

  async transact<Value>(operation: () => Value): Promise<Value> {
    return this.write(operation);
  }

  async transactIf<Value>({ sql, values }: Statement, operation: () => Value): Promise<Value | undefined> {
    return this.write(() => (this.get(sql, ...values) === undefined ? undefined : operation()));
  }

  lock(): void {}

  /** Megabytes take half the time when they are written once, at the commit. */
  #beginLarge(): void {
    if (this.#checkpoint === undefined) this.#connection.pragma('wal_autocheckpoint = 0');
    this.#connection.pragma('cache_spill = OFF');
  }

  /** Runs the checkpoint in an event-loop tick of its own, not with the next small transaction of this one. */
  #endLarge(): void {
    this.#connection.pragma('cache_spill = ON');
    this.#checkpoint ??= setImmediate(() => {
      this.#checkpoint = setImmediate(() => this.#copyLog());
    });
  }

  #copyLog(): void {
    this.#checkpoint = undefined;
    this.#connection.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    try {
      this.#connection.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // On a full disk, for example: the next transaction tries again.
    }
  }

  read<Value>(operation: () => Value): Value {
    this.run('BEGIN DEFERRED');
    return this.#transact(operation);
  }

  savepoint<Value>(operation: () => Value): Value {
    this.run('SAVEPOINT part');
    try {
      const value = operation();
      this.run('RELEASE part');
      return value;
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction itself, savepoints included.
      if (this.#connection.inTransaction) {
        this.run('ROLLBACK TO part');
        this.run('RELEASE part');
      }
      throw error;
    }
  }

  /** Reads again, which takes microseconds here. */
  readOnce<Value>(_name: string, read: () => Value): Value {
    return read();
  }

  know(): void {}

  /** Ends a transaction started by a statement, if SQLite has not done so. */
  rollBack(): void {
    if (this.#connection.inTransaction) this.run('ROLLBACK');
  }

  /** Runs optional work: returns false, at once, when another process holds the lock. */
  withoutWaiting(operation: () => void): boolean {
    this.#connection.pragma('busy_timeout = 0');
    try {
      operation();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    } finally {
      this.#connection.pragma(`busy_timeout = ${this.#timeoutMs}`);
    }
  }

  close(): void {
    clearImmediate(this.#checkpoint);
    this.#connection.close();
  }

  #takeWriteLock(): void {
    try {
      this.run('BEGIN IMMEDIATE');
      this.#setBlocked(false);
    } catch (error) {
      if (isBusy(error)) this.#setBlocked(true);
      throw error;
    }
  }

  #setBlocked(isBlocked: boolean): void {
    if (this.#isBlocked === isBlocked) return;
    this.#isBlocked = isBlocked;
    this.#connection.pragma(`busy_timeout = ${this.#timeoutMs}`);
  }

  get #timeoutMs(): number {
    return this.#isBlocked ? blockedTimeoutMs : timings.databaseLock;
  }

  #transact<Value>(operation: () => Value): Value {
    try {
      const value = operation();
      this.run('COMMIT');
      return value;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  #prepare(sql: string): Sqlite.Statement<SqlValue[], Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare<SqlValue[], Row>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

function blockBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walPauseMs);
}
