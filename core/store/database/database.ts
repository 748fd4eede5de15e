import type { AppError } from '../../base/errors.ts';

/** A value that a database accepts and returns. */
export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * The database of a home, SQLite or PostgreSQL: statements and transactions. On a server they are made within operations,
 * by `perform`, `transact` or `transactIf`; everything else is synchronous. Statements are written
 * once, in SQL that both accept (`translate` in `postgres-database.ts` rewrites the SQLite-specific parts), with `?` for values; true
 * is returned as 1. Errors are the driver's own; `toStoreError` converts them to application errors.
 */
export interface Database {
  /** Name for messages: the path of its file, or its URL without the password. */
  readonly name: string;

  /** Returns the first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined;

  /** Returns all rows. */
  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[];

  /**
   * Reads rows together with the next statement whose result is used: on a server, several reads then cost one round
   * trip. Only inside a transaction; the rows can be taken after it.
   */
  defer<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[];

  /** The same for rows that may have changed by the commit: a description of the current state, for example. */
  deferUnchecked<Result extends object = Row>(sql: string, ...values: SqlValue[]): () => Result[];

  /** Reserves the key of a new row; null when it is only known after the insert. */
  deferKey(table: string): () => number | null;

  /** Runs a statement that returns no rows. `changes`: affected rows; `key`: key of the inserted row. */
  run(sql: string, ...values: SqlValue[]): { changes: number; key: number };

  /** Runs a change of exactly one row. Any other number fails: on a server, it fails the whole transaction. */
  runOne(mismatch: () => Error, sql: string, ...values: SqlValue[]): void;

  /**
   * Returns a string of up to megabytes as the value for `CAST(? AS TEXT)`: SQLite accepts the bytes of a large one in
   * half the time.
   * @param encoded the same string as UTF-8
   */
  largeText(text: string, encoded: Uint8Array | undefined): SqlValue;

  /** Runs several statements without values. */
  execute(sql: string): void;

  /** Returns a string that changes with any commit. Costs microseconds. */
  commitRevision(): string;

  /** Returns a number that changes with any commit of another connection. Costs microseconds. */
  dataVersion(): number;

  /**
   * Runs a write transaction: all or nothing, and never in parallel with another one.
   * @param isLarge whether it writes megabytes: SQLite then writes them once, at the commit, and checkpoints its
   * write-ahead log in the next event-loop tick
   */
  write<Value>(operation: () => Value, isLarge?: boolean): Value;

  /**
   * Runs a write transaction next to other parallel ones, but never next to one of `write`. It locks what it depends on:
   * names with `lock`, rows with the comment FOR UPDATE. SQLite has one writer anyway.
   */
  writeParallel<Value>(operation: () => Value): Value;

  /**
   * Runs one statement as a transaction of its own, such as a heartbeat: it takes no lock but those of its rows, and
   * other hosts are not notified.
   */
  runAlone(sql: string, ...values: SqlValue[]): { readonly changes: number };

  /**
   * Runs an operation of synchronous statements and transactions without blocking the event loop. With SQLite it ends in
   * this event-loop tick. On a server it may be called several times: it has no effect but its result and what it writes,
   * and gives the same statements for the same results.
   */
  perform<Value>(operation: () => Value | Promise<Value>): Promise<Value>;

  /**
   * Runs a parallel write transaction without blocking the event loop. With SQLite it ends in this event-loop tick. On a
   * server the operation may be called several times, and the transactions of this process that are called meanwhile
   * run in any order: an operation has no effect but its result and what it writes.
   */
  transact<Value>(operation: () => Value): Promise<Value>;

  /** Like `transact`, if a query returns a row; resolves with undefined otherwise, and then nothing has changed. */
  transactIf<Value>(condition: Statement, operation: () => Value): Promise<Value | undefined>;

  /** Waits until no other transaction holds a lock of this name, and holds it until the end of this one. */
  lock(name: string): void;

  /** Runs a read transaction: all statements see the same state. */
  read<Value>(operation: () => Value): Value;

  /** Runs a part of a write transaction that can fail alone: its changes are rolled back when it throws. */
  savepoint<Value>(operation: () => Value): Value;

  /**
   * Reads a value once per transaction and caches it under a name. Only for values that no other connection can change
   * meanwhile and the transaction does not change. Outside a transaction it reads each time.
   */
  readOnce<Value>(name: string, read: () => Value): Value;

  /** Sets a value of `readOnce` for this transaction, as far as it caches them. */
  know(name: string, read: () => unknown): void;

  /** Converts a driver error to an application error with a solution; returns anything else unchanged. */
  toStoreError(error: unknown): unknown;

  /** Creates the error for stored data that is damaged. */
  toDamageError(finding: string): AppError;

  close(): void;
}

/** Returns the placeholders for values in `IN (…)`; for an empty list, NULL, because PostgreSQL rejects empty lists. */
export const placeholdersFor = (values: readonly unknown[]): string =>
  values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
