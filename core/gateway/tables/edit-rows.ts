import { AppError } from '../../base/errors.ts';
import { DatabaseError, type GatewayDatabase } from '../../store/sql/database.ts';
import type { Column } from '../catalog/catalog.ts';
import { arrayLiteral } from '../plan/filter.ts';
import { bind, catalogSql, identifier, join, type Sql, sql, toStatement } from '../plan/sql.ts';
import {
  comparable,
  findColumn,
  keyCondition,
  readOnlyReason,
  readRow,
  requireKey,
  type Row,
  rowOutputs,
  storedText,
  type Table,
  tableSql,
  writtenSql,
} from './table-sql.ts';

/** Values typed by a person, by column; null is NULL. */
export type TypedValues = Readonly<Record<string, string | null>>;

/** Inserts a row; missing columns get their defaults. Returns it as stored. */
export async function insertRow(database: GatewayDatabase, table: Table, values: TypedValues): Promise<Row> {
  const { relation } = table;
  const reason = relation.isInsertable && !relation.kind.endsWith('view') ? undefined : readOnlyReason(table);
  if (reason !== undefined) throw new AppError('bad_request', reason);
  const columns = Object.keys(values).map((name) => findColumn(table, name));
  const names = columns.map(({ name }) => identifier(name));
  const written = columns.map((column) => writtenSql(column, values[column.name] ?? null));
  const source =
    columns.length === 0
      ? sql` DEFAULT VALUES`
      : sql` (${join(names, ', ')}) VALUES (${join(written, ', ')})`;
  const insert = sql`INSERT INTO ${tableSql(relation)}${source} RETURNING ${rowOutputs(table)}`;
  const [result] = await write(database, table, values, [insert]);
  return readRow(table, result!.rows[0] ?? []);
}

export interface RowChange {
  /** Stored values of the key. */
  readonly key: readonly string[];
  readonly values: TypedValues;
  /** Stored values of the changed columns as the person saw them. */
  readonly expected: TypedValues;
}

/**
 * Changes a row and returns it.
 * @throws `conflict` if another user has changed one of the columns in the meantime, `not_found` if the row is missing
 */
export async function updateRow(
  database: GatewayDatabase,
  table: Table,
  { key, values, expected }: RowChange,
): Promise<Row> {
  const condition = keyCondition(requireKey(table), key);
  const columns = Object.keys(values).map((name) => findColumn(table, name));
  const changes = columns.map(
    (column) => sql`${identifier(column.name)} = ${writtenSql(column, values[column.name] ?? null)}`,
  );
  const unchanged = Object.entries(expected).map(([name, value]) => {
    const column = findColumn(table, name);
    return sql`${storedText(column)} IS NOT DISTINCT FROM ${bind(value)}::text`;
  });
  const target = tableSql(table.relation);
  const outputs = rowOutputs(table);
  const [updated, current] = await write(database, table, values, [
    sql`UPDATE ${target} SET ${join(changes, ', ')} WHERE ${join([condition, ...unchanged], ' AND ')} RETURNING ${outputs}`,
    sql`SELECT ${outputs} FROM ${target} WHERE ${condition}`,
  ]);
  const row = updated!.rows[0];
  if (row !== undefined) return readRow(table, row);
  const other = current!.rows[0];
  if (other === undefined) throw new AppError('not_found', 'This row was deleted in the meantime.');
  throw conflictError(table, columns, readRow(table, other));
}

function conflictError({ relation }: Table, columns: readonly Column[], row: Row): AppError {
  const shown = columns.map((column) => {
    const text = row.cells[relation.columns.indexOf(column)]?.text ?? null;
    return `${column.name} is now ${text === null ? 'NULL' : JSON.stringify(text.slice(0, 100))}`;
  });
  return new AppError('conflict', `This row was changed in the meantime: ${shown.join(', ')}.`);
}

/** Deletes rows by their keys in one transaction, and returns how many there were. */
export async function deleteRows(
  database: GatewayDatabase,
  table: Table,
  keys: readonly (readonly string[])[],
): Promise<number> {
  const key = requireKey(table);
  const [only] = key;
  const condition: Sql =
    key.length === 1 && only !== undefined && only.comparedAs === null
      ? sql`${comparable(only)} = ANY (${bind(arrayLiteral(keys.map(([value]) => value ?? '')))})`
      : join(
          keys.map((values) => sql`(${keyCondition(key, values)})`),
          ' OR ',
        );
  const [result] = await write(database, table, {}, [
    sql`DELETE FROM ${tableSql(table.relation)} WHERE ${condition}`,
  ]);
  return result!.affected;
}

async function write(
  database: GatewayDatabase,
  table: Table,
  values: TypedValues,
  statements: readonly Sql[],
): Promise<Awaited<ReturnType<GatewayDatabase['transact']>>> {
  try {
    return await database.transact({ isReadOnly: false, statements: statements.map(toStatement) });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw describeWriteError(error, await findColumnAtFault(database, table, values, error));
  }
}

/** Formats an error of PostgreSQL; `details.field` names the column at fault. */
function describeWriteError(error: DatabaseError, column: string | undefined): AppError {
  const { message, detail, hint, code } = error;
  const sentences = [message, detail, hint].flatMap((part) =>
    part === null ? [] : [part.replace(/\.$/, '')],
  );
  return new AppError('bad_request', `${sentences.join('. ')}.`, {
    cause: error,
    details: { sqlstate: code, ...(column !== undefined && { field: `values.${column}` }) },
  });
}

/** Returns the column that an error is about: PostgreSQL names it for constraints, but not for invalid values. */
async function findColumnAtFault(
  database: GatewayDatabase,
  table: Table,
  values: TypedValues,
  { code, message, detail }: DatabaseError,
): Promise<string | undefined> {
  const names = Object.keys(values);
  if (names.length === 1) return names[0];
  const named = /column "([^"]+)"/.exec(message)?.[1] ?? /^Key \("?([^,")]+)"?[,)]/.exec(detail ?? '')?.[1];
  if (named !== undefined)
    return table.relation.columns.some(({ name }) => name === named) ? named : undefined;
  if (!code.startsWith('22') && code !== '23514') return undefined;
  for (const name of names) {
    if (!(await isAccepted(database, findColumn(table, name), values[name] ?? null))) return name;
  }
  return undefined;
}

/** Whether a value alone has the type of its column. */
async function isAccepted(database: GatewayDatabase, column: Column, value: string | null): Promise<boolean> {
  if (column.maxLength !== null && value !== null && [...value].length > column.maxLength) return false;
  const typed = sql`SELECT (${writtenSql(column, value)})::${catalogSql(column.typeSql)}`;
  try {
    await database.transact({ isReadOnly: true, statements: [toStatement(typed)] });
    return true;
  } catch (error) {
    if (error instanceof DatabaseError) return false;
    throw error;
  }
}
