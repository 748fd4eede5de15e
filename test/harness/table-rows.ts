import type { Database, SqlValue } from '../../core/store/database/database.ts';
import { listListColumns, type Table } from '../../core/store/database/tables.ts';

const findListColumns = (database: Database): ReadonlySet<string> =>
  database.readOnce('list columns', () => listListColumns(database));

/** Most values in one statement: both databases accept more. */
const maxValues = 10_000;

/**
 * Returns the next rows of a table in the order of its key, which is the same on both databases.
 * @param after the last row before them, with all columns
 */
export function readTableRows(
  database: Database,
  { name, columns, key }: Table,
  after: readonly SqlValue[] | undefined,
  limit: number,
): SqlValue[][] {
  const lists = findListColumns(database);
  const columnSql = (column: string): string =>
    lists.has(`${name}.${column}`)
      ? `CAST(array_to_json(${quote(column)}) AS text) AS ${quote(column)}`
      : quote(column);
  const order = quoteAll(key);
  const from = after === undefined ? '' : `WHERE (${order}) > (${key.map(() => '?').join(', ')})`;
  const values = after === undefined ? [] : key.map((column) => after[columns.indexOf(column)]!);
  return database
    .all(
      `SELECT ${columns.map(columnSql).join(', ')} FROM ${quote(name)} ${from} ORDER BY ${order} LIMIT ?`,
      ...values,
      limit,
    )
    .map((row) => columns.map((column) => row[column]!));
}

/**
 * Adds rows, each with all columns of the table, and waits until the database has them. Only inside a write transaction.
 * @returns the number of added rows
 */
export function addTableRows(
  database: Database,
  { name, columns }: Table,
  rows: readonly (readonly SqlValue[])[],
): number {
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  const lists = findListColumns(database);
  const isList = columns.map((column) => lists.has(`${name}.${column}`));
  let added = 0;
  const batchRows = Math.floor(maxValues / columns.length);
  for (let start = 0; start < rows.length; start += batchRows) {
    const batch = rows.slice(start, start + batchRows);
    const sql = `INSERT INTO ${quote(name)} (${quoteAll(columns)}) VALUES ${batch.map(() => placeholders).join(', ')}`;
    added += database.run(
      sql,
      ...batch.flatMap((row) =>
        row.map((value, index) => (isList[index] === true ? toArrayText(value) : value)),
      ),
    ).changes;
  }
  return added;
}

/** Formats a list of strings as JSON in the way in which PostgreSQL writes arrays. */
function toArrayText(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return value;
  const texts = JSON.parse(value) as readonly string[];
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

const quote = (name: string): string => `"${name}"`;
const quoteAll = (names: readonly string[]): string => names.map(quote).join(', ');
