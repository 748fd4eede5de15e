import type { Database } from './database.ts';
import { SqliteDatabase } from './sqlite-database.ts';

/** A table whose rows can be copied without knowing their meaning. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[];
}

const fileTablesSql = /* sql */ `
  SELECT t.name AS name, c.name AS "column", c.pk AS ordinal FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND t.name <> 'copy_progress' ORDER BY t.name, c.cid`;
const fileReferencesSql = /* sql */ `
  SELECT t.name AS name, r."table" AS parent FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS r
  WHERE t.type = 'table'`;
const serverTablesSql = /* sql */ `
  SELECT relname AS name, attname AS "column",
    coalesce(array_position(CAST(indkey AS smallint[]), attnum) + 1, 0) AS ordinal
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
  WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema()) AND relname NOT IN ('schema_version', 'copy_progress')
  ORDER BY relname COLLATE "C", attnum`;
const serverReferencesSql = /* sql */ `
  SELECT child.relname AS name, parent.relname AS parent FROM pg_constraint
    JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
  WHERE contype = 'f' AND child.relnamespace = to_regnamespace(current_schema())`;

/** Whether a database has a table of this name. */
export function hasTable(database: Database, name: string): boolean {
  const sql =
    database instanceof SqliteDatabase
      ? 'SELECT 1 FROM sqlite_schema WHERE name = ?'
      : 'SELECT 1 FROM pg_class WHERE relname = ? AND relnamespace = to_regnamespace(current_schema())';
  return database.get(sql, name) !== undefined;
}

/** Lists all tables of a home, each after the tables it refers to: rows can be added in this order. */
export function listTables(database: Database): Table[] {
  const isServer = !(database instanceof SqliteDatabase);
  type ColumnRow = { name: string; column: string; ordinal: number };
  const rows = database.all<ColumnRow>(isServer ? serverTablesSql : fileTablesSql);
  const references = database.all<{ name: string; parent: string }>(
    isServer ? serverReferencesSql : fileReferencesSql,
  );
  const tables = [...Map.groupBy(rows, ({ name }) => name)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ ordinal }) => ordinal > 0)
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .map(({ column }) => column),
  }));
  const sorted = new Map<string, Table>();
  const add = (table: Table): void => {
    if (sorted.has(table.name)) return;
    for (const { name, parent } of references)
      if (name === table.name && parent !== name) add(tables.find((other) => other.name === parent)!);
    sorted.set(table.name, table);
  };
  tables.forEach(add);
  return [...sorted.values()];
}

/**
 * Lists the tables and columns that two databases share, in the order of the first: tables that only one has are
 * rebuilt by it. Both read their rows in the order of the same key.
 */
export function listSharedTables(source: readonly Table[], target: readonly Table[]): Table[] {
  const targetTables = new Map(target.map((table) => [table.name, new Set(table.columns)]));
  return source.flatMap((table) => {
    const columns = targetTables.get(table.name);
    return columns === undefined
      ? []
      : [{ ...table, columns: table.columns.filter((name) => columns.has(name)).toSorted() }];
  });
}

const listColumnsSql = /* sql */ `
  SELECT relname || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE atttypid = CAST('text[]' AS regtype) AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

/** Returns the `table.column` that are lists on a server, and JSON lists in a file. */
export function listListColumns(database: Database): ReadonlySet<string> {
  const rows = database instanceof SqliteDatabase ? [] : database.all<{ name: string }>(listColumnsSql);
  return new Set(rows.map(({ name }) => name));
}

/** What can be created after the rows, in that order, and how to remove it before. */
const serverDefinitionsSql = /* sql */ `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', CAST(conrelid AS regclass), conname) AS "drop",
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', CAST(conrelid AS regclass), conname, pg_get_constraintdef(oid)) AS "create",
    CASE contype WHEN 'f' THEN 2 ELSE 0 END AS place
  FROM pg_constraint
  WHERE contype IN ('u', 'f') AND connamespace = to_regnamespace(current_schema())
  UNION ALL
  SELECT format('DROP INDEX %s', CAST(indexrelid AS regclass)), pg_get_indexdef(indexrelid), 1
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = to_regnamespace(current_schema()) AND NOT indisprimary
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
  UNION ALL
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', CAST(tgrelid AS regclass), tgname),
    format('ALTER TABLE %s ENABLE TRIGGER %I', CAST(tgrelid AS regclass), tgname), 3
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = to_regnamespace(current_schema()) AND NOT tgisinternal
  ORDER BY place`;
const fileDefinitionsSql = /* sql */ `
  SELECT 'DROP ' || type || ' "' || name || '"' AS "drop", sql AS "create" FROM sqlite_schema
  WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type`;

/**
 * Removes all rows, including the initial rows of a new schema, and everything that slows adding rows down: indexes,
 * except for primary keys, foreign keys and triggers. Only inside a write transaction.
 * @returns the statements that create them again
 */
export function prepareForRows(database: Database): string[] {
  const isServer = !(database instanceof SqliteDatabase);
  const definitions = database.all<{ drop: string; create: string }>(
    isServer ? serverDefinitionsSql : fileDefinitionsSql,
  );
  for (const { drop } of definitions.toReversed()) database.execute(drop);
  emptyTables(database);
  return definitions.map(({ create }) => create);
}

/** Removes all rows of all tables. Only inside a write transaction. */
export function emptyTables(database: Database): void {
  const names = listTables(database).map(({ name }) => quote(name));
  if (!(database instanceof SqliteDatabase)) database.execute(`TRUNCATE ${names.join(', ')}`);
  else for (const name of names.toReversed()) database.run(`DELETE FROM ${name}`);
}

const generatedSql = /* sql */ `
  SELECT relname AS name, attname AS "column" FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

const numberedSql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '% AUTOINCREMENT%'";

/** Returns the last key that each numbered table has ever generated. */
export function readLastKeys(database: Database): ReadonlyMap<string, number> {
  if (database instanceof SqliteDatabase) {
    const rows = database.all<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }
  const keys = database.all<{ name: string; column: string }>(generatedSql).map(({ name, column }) => {
    const { last } = database.get<{ last: number | null }>(
      'SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass)) AS last',
      name,
      column,
    )!;
    return [name, last ?? 0] as const;
  });
  return new Map(keys);
}

/**
 * Makes sure that no key is reused that was generated before, according to `keys`, or that a row has. Only inside a
 * write transaction.
 */
export function raiseLastKeys(database: Database, keys: ReadonlyMap<string, number>): void {
  if (database instanceof SqliteDatabase) {
    const sequences = readLastKeys(database);
    for (const { name } of database.all<{ name: string }>(numberedSql)) {
      database.run('DELETE FROM sqlite_sequence WHERE name = ?', name);
      const last = Math.max(keys.get(name) ?? 0, sequences.get(name) ?? 0);
      database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, last);
    }
    return;
  }
  for (const { name, column } of database.all<{ name: string; column: string }>(generatedSql)) {
    const sql = `SELECT max(${quote(column)}) AS last FROM ${quote(name)}`;
    const last = Math.max(keys.get(name) ?? 0, database.get<{ last: number | null }>(sql)!.last ?? 0);
    if (last > 0) database.get('SELECT setval(pg_get_serial_sequence(?, ?), ?)', name, column, last);
  }
}

const quote = (name: string): string => `"${name}"`;
