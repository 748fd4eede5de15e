import type { Database, SqlValue, Statement } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { type ColumnKind, parseRow } from './copy-text.ts';

/** A table with the kinds of its columns. */
export interface CopyTable extends Table {
  readonly kinds: readonly ColumnKind[];
}

/** Consecutive rows in the text format of COPY. */
export interface RowChunk {
  readonly data: Buffer;
  readonly rows: number;
}

/** Bytes of rows after which a chunk ends. */
export const chunkBytes = 128 * 1024;

/** Limits of the rows to read, as values of the key: of the last row before them, and of their last. */
export interface RowRange {
  readonly after?: readonly SqlValue[] | undefined;
  readonly upTo?: readonly SqlValue[] | undefined;
}

/** Source or target of a copy: a file or a server. */
export interface CopyEnd {
  /** Name for messages: the path of the file, or the URL without the password. */
  readonly name: string;
  readonly database: Database;

  countRows(table: CopyTable): Promise<number>;

  /** Reads rows in the order of the key. */
  read(table: CopyTable, range: RowRange): AsyncIterable<RowChunk>;

  /** Adds rows, and runs a statement after them, in one transaction. */
  write(table: CopyTable, chunks: AsyncIterable<RowChunk>, last: () => Statement): Promise<void>;

  /** Runs statements that may take long, in one transaction. */
  execute(statements: readonly Statement[]): Promise<void>;

  /** Makes a complete copy ready for use. @param endProgress makes the last change of its tables */
  finish(endProgress: () => Promise<void>): Promise<void>;

  close(): Promise<void>;
}

/** Returns the key of the last row of a chunk. */
export function readLastKey({ columns, key, kinds }: CopyTable, { data }: RowChunk): SqlValue[] {
  const end = data.length - 1;
  const line = data.toString('utf8', data.lastIndexOf('\n', end - 1) + 1, end);
  const row = parseRow(line, kinds);
  return key.map((column) => row[columns.indexOf(column)]!);
}

/** Returns the query for a range of rows in the order of the key, with `?` for values. */
export function selectRows(table: CopyTable, { after, upTo }: RowRange): Statement {
  const key = table.key.map(quote).join(', ');
  const placeholders = table.key.map(() => '?').join(', ');
  const conditions = [
    ...(after === undefined ? [] : [`(${key}) > (${placeholders})`]),
    ...(upTo === undefined ? [] : [`(${key}) <= (${placeholders})`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const columns = table.columns.map(quote).join(', ');
  return {
    sql: `SELECT ${columns} FROM ${quote(table.name)} ${where} ORDER BY ${key}`,
    values: [...(after ?? []), ...(upTo ?? [])],
  };
}

export const quote = (name: string): string => `"${name}"`;
