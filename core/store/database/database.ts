import type { AppError } from '../../base/errors.ts';

/** What a database takes and gives back. */
export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/**
 * One connection to the database of a home, whichever kind it is: statements, transactions, nothing else. Statements
 * are written once, in the SQL that both kinds take (`postgres/translate.ts` says what of SQLite's is rewritten), with
 * `?` for values; what is true comes back as 1. Errors are the driver's own; `describeError` turns them into refusals.
 */
export interface Database {
  /** What it is called in messages: the path of its file, or its URL without the password. */
  readonly name: string;

  /** First row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined;

  /** All rows. */
  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[];

  /** Runs a statement that returns nothing. `changes`: rows it touched; `key`: of the row it inserted. */
  run(sql: string, ...values: SqlValue[]): { changes: number; key: number };

  /**
   * A string of up to megabytes as the value of `CAST(? AS TEXT)`: SQLite takes the bytes of a large one in half the time.
   * @param encoded the same as UTF-8
   */
  largeText(text: string, encoded: Uint8Array | undefined): SqlValue;

  /** Runs several statements without values. */
  execute(sql: string): void;

  /** Differs after any commit. Costs microseconds. */
  commitMark(): string;

  /** Differs after any commit of another connection. Costs microseconds. */
  foreignVersion(): number;

  /**
   * A write transaction: all of it happens or none, and no other one happens meanwhile.
   * @param isLarge it writes megabytes: SQLite then writes them once, by the commit, and copies its write-ahead log into
   * the database in the next turn of the event loop
   */
  write<Value>(operation: () => Value, isLarge?: boolean): Value;

  /** A read transaction: every statement sees the same state. */
  read<Value>(operation: () => Value): Value;

  /** A part of a write transaction that can fail alone: what it wrote is undone when it throws. */
  savepoint<Value>(operation: () => Value): Value;

  /**
   * What was read under this name in the transaction under way, or is read now: for what nobody but the transaction
   * itself could change, and that does not. Outside of one it is read each time.
   */
  readOnce<Value>(name: string, read: () => Value): Value;

  /** Turns what it throws into a refusal that says what to do; anything else is returned as it is. */
  describeError(thrown: unknown): unknown;

  /** The refusal for stored data that cannot be trusted any more. */
  describeDamage(finding: string): AppError;

  close(): void;
}
