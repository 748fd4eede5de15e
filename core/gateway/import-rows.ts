import { randomBytes } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { DatabaseError, type GatewayDatabase, type Statement } from '../store/sql/database.ts';
import type { ImportType } from '../base/csv-columns.ts';
import { convertValue } from './plan/filter.ts';
import { catalogSql, identifier, join, type Sql, sql, toStatement } from './plan/sql.ts';
import { findColumn, readOnlyReason, type Table, tableSql } from './tables/table-sql.ts';

/**
 * Imports arrive in parts and are collected in a table of this schema, so that a file of any size needs little memory,
 * and the target changes in one transaction at the end.
 */
const stagingSchema = 'stepwright_import';

/** Unfinished imports are removed after this time. */
const retentionMs = 86_400_000;
const idPattern = /^[0-9a-z]{8,9}_[0-9a-f]{12}$/;
const maxColumns = 1_600;

/** A record of the file. */
export interface ImportRecord {
  /** 1-based. */
  readonly line: number;
  readonly values: readonly string[];
}

/** An error in a line of the file. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

/** Starts an import of records with this many values. Returns its id. */
export async function createImport(database: GatewayDatabase, width: number, now: number): Promise<string> {
  if (width > maxColumns)
    throw new AppError('bad_request', `The file has ${width} columns. The limit is ${maxColumns}.`);
  const id = `${now.toString(36)}_${randomBytes(6).toString('hex')}`;
  const columns = Array.from({ length: width }, (_, index) => sql`, ${sourceColumn(index)} text`);
  await removeOld(database, now);
  await database.transact({
    isReadOnly: false,
    statements: [
      toStatement(sql`CREATE SCHEMA IF NOT EXISTS ${identifier(stagingSchema)}`),
      toStatement(
        sql`CREATE UNLOGGED TABLE ${stagingTable(id)} (line bigint PRIMARY KEY${join(columns, ' ')})`,
      ),
    ],
  });
  return id;
}

const sourceColumn = (index: number): Sql => identifier(`c${index}`);

/** @throws `bad_request` for anything but an id */
function stagingTable(id: string): Sql {
  if (!idPattern.test(id)) throw new AppError('not_found', `Import "${id.slice(0, 40)}" not found.`);
  return identifier(stagingSchema, id);
}

async function removeOld(database: GatewayDatabase, now: number): Promise<void> {
  const [result] = await database.transact({
    isReadOnly: true,
    statements: [
      { text: 'SELECT tablename::text FROM pg_tables WHERE schemaname = $1', values: [stagingSchema] },
    ],
  });
  for (const [name] of result!.rows) {
    if (name !== null && name !== undefined && idPattern.test(name) && isOld(name, now))
      await removeImport(database, name);
  }
}

const isOld = (id: string, now: number): boolean =>
  Number.parseInt(id.split('_', 1)[0]!, 36) < now - retentionMs;

/** Adds records. Adding them again after a lost response has no effect. */
export async function addImportRows(
  database: GatewayDatabase,
  id: string,
  records: readonly ImportRecord[],
): Promise<void> {
  const width = Math.max(0, ...records.map(({ values }) => values.length));
  if (width === 0) return;
  const columns = Array.from({ length: width }, (_, index) => index);
  const arrays = columns.map((index) => arrayOf(records.map(({ values }) => values[index])));
  const names = join([catalogSql('line'), ...columns.map(sourceColumn)], ', ');
  const parameters = ['$1::bigint[]', ...columns.map((index) => `$${index + 2}::text[]`)].join(', ');
  const text = toStatement(
    sql`INSERT INTO ${stagingTable(id)} (${names}) SELECT * FROM unnest(${catalogSql(parameters)}) ON CONFLICT DO NOTHING`,
  ).text;
  const values = [`{${records.map(({ line }) => line).join(',')}}`, ...arrays];
  await inImport(database.transact({ isReadOnly: false, statements: [{ text, values }] }), id);
}

/** Returns an array literal; NUL, which PostgreSQL cannot store, becomes the replacement character. */
const arrayOf = (values: readonly (string | undefined)[]): string =>
  `{${values
    .map((value) =>
      value === undefined ? 'NULL' : `"${value.replaceAll('\0', '\u{FFFD}').replaceAll(/["\\]/g, '\\$&')}"`,
    )
    .join(',')}}`;

/** @throws `not_found` if the import was finished, canceled or removed */
async function inImport<Result>(work: Promise<Result>, id: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (
      error instanceof DatabaseError &&
      (error.code === '42P01' || error.code === '3F000') &&
      error.message.includes(id)
    )
      throw new AppError('not_found', 'This import no longer exists. Start it again.', { cause: error });
    throw error;
  }
}

/** Removes an import that is not finished. */
export async function removeImport(database: GatewayDatabase, id: string): Promise<void> {
  const drop = toStatement(sql`DROP TABLE IF EXISTS ${stagingTable(id)}`);
  await database.transact({ isReadOnly: false, statements: [drop] });
}

/** The target of an import. */
export type ImportTarget =
  | {
      readonly kind: 'existing';
      readonly table: Table;
      /** Columns of the table, each with the number of its value in the records, from 0. */
      readonly columns: readonly { readonly source: number; readonly name: string }[];
    }
  | {
      readonly kind: 'new';
      readonly schema: string;
      readonly name: string;
      readonly columns: readonly {
        readonly source: number;
        readonly name: string;
        readonly type: ImportType;
      }[];
      /** Column of the primary key; a generated number if it is none of the columns. */
      readonly key?: string | undefined;
    };

export interface ImportOutcome {
  /** Number of imported rows: all, or none if there are errors. */
  readonly rows: number;
  /** Errors of the first lines that were rejected. */
  readonly errors: readonly LineError[];
}

/** Writes all records to the target, in one transaction, or none if a line is rejected. */
export async function finishImport(
  database: GatewayDatabase,
  id: string,
  target: ImportTarget,
): Promise<ImportOutcome> {
  checkTarget(target);
  const staged = stagingTable(id);
  const names = join(
    target.columns.map(({ name }) => identifier(name)),
    ', ',
  );
  const values = join(
    target.columns.map((column) => valueSql(target, column, identifier('staged'))),
    ', ',
  );
  const insert = sql`INSERT INTO ${targetSql(target)} (${names}) SELECT ${values} FROM ${staged} AS staged ORDER BY line`;
  const create = createStatements(target);
  try {
    const work = database.transact({
      isReadOnly: false,
      statements: [...create, toStatement(insert), toStatement(sql`DROP TABLE ${staged}`)],
      timeoutMs: 0,
    });
    const results = await inImport(work, id);
    return { rows: results[create.length]!.affected, errors: [] };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const errors = await findLineErrors(database, id, target);
    if (errors.length > 0) return { rows: 0, errors };
    throw new AppError('bad_request', [error.message, error.detail].filter(Boolean).join('. '), {
      cause: error,
      details: { sqlstate: error.code },
    });
  }
}

function checkTarget(target: ImportTarget): void {
  const { columns } = target;
  if (columns.length === 0) throw new AppError('bad_request', 'Select at least one column to import.');
  const twice = columns.find(({ name }, index) => columns.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) throw new AppError('bad_request', `Two columns are imported to "${twice.name}".`);
  const unnamed = columns.find(({ name }) => name.trim() === '');
  if (unnamed !== undefined)
    throw new AppError('bad_request', `Column ${unnamed.source + 1} of the file has no name.`);
  if (target.kind === 'new') return;
  const { relation } = target.table;
  if (!relation.isInsertable)
    throw new AppError('bad_request', readOnlyReason(target.table) ?? `${relation.name} takes no rows.`);
}

const targetSql = (target: ImportTarget): Sql =>
  target.kind === 'new' ? identifier(target.schema, target.name) : tableSql(target.table.relation);

function createStatements(target: ImportTarget): Statement[] {
  if (target.kind === 'existing') return [];
  const { columns, key } = target;
  const generated =
    key === undefined || columns.some(({ name }) => name === key)
      ? []
      : [sql`${identifier(key)} bigint GENERATED BY DEFAULT AS IDENTITY`];
  const typed = columns.map(({ name, type }) => sql`${identifier(name)} ${catalogSql(type)}`);
  const constraint = key === undefined ? [] : [sql`PRIMARY KEY (${identifier(key)})`];
  const parts = join([...generated, ...typed, ...constraint], ', ');
  return [toStatement(sql`CREATE TABLE ${targetSql(target)} (${parts})`)];
}

/** Returns a value converted to its column: empty is NULL, except in strings that may not be null. */
function valueSql(target: ImportTarget, column: ImportTarget['columns'][number], record: Sql): Sql {
  const value = sql`${record}.${sourceColumn(column.source)}`;
  const filled = sql`NULLIF(${value}, '')`;
  if (target.kind === 'new') return sql`${filled}::${catalogSql(typeOf(target, column.name))}`;
  const { baseTypeSql, typeSql, isNullable, defaultSql, representation } = findColumn(
    target.table,
    column.name,
  );
  const isString = /^(text|character( varying)?)(\(|$)/.test(baseTypeSql);
  const used = isString && !isNullable && defaultSql === null ? value : filled;
  if (representation?.body) return convertValue(representation.body, sql`to_json(${used})`);
  // A cast would cut long strings silently.
  return isString ? used : sql`${used}::${catalogSql(typeSql)}`;
}

const typeOf = ({ columns }: Extract<ImportTarget, { kind: 'new' }>, name: string): ImportType =>
  columns.find((column) => column.name === name)?.type ?? 'text';

/** Number of errors that are listed. */
const maxErrors = 100;
/** A large file with only late errors may take longer; the error is then shown without its line. */
const searchMs = 120_000;

/** Writes the lines one by one, and rolls back, to find those that are rejected. */
async function findLineErrors(
  database: GatewayDatabase,
  id: string,
  target: ImportTarget,
): Promise<readonly LineError[]> {
  const record = identifier('record');
  const names = target.columns.map(({ name }) => identifier(name));
  const values = target.columns.map((column) => valueSql(target, column, record));
  const insert = sql`INSERT INTO ${targetSql(target)} (${join(names, ', ')}) VALUES (${join(values, ', ')})`;
  const quote = `$import_${id}$`;
  const { text } = toStatement(sql`DO ${catalogSql(quote)}
    DECLARE record record; message text; detail text; errors jsonb := '[]';
    BEGIN
      FOR record IN SELECT * FROM ${stagingTable(id)} ORDER BY line LOOP
        BEGIN
          ${insert};
        EXCEPTION WHEN OTHERS THEN
          GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
          errors := errors || jsonb_build_object('line', record.line, 'message', concat_ws('. ', message, NULLIF(detail, '')));
          EXIT WHEN jsonb_array_length(errors) >= ${catalogSql(String(maxErrors))};
        END;
      END LOOP;
      PERFORM set_config('stepwright.import_errors', errors::text, true);
    END ${catalogSql(quote)}`);
  try {
    const results = await database.transact({
      isReadOnly: false,
      statements: [
        ...createStatements(target),
        { text, values: [] },
        { text: `SELECT current_setting('stepwright.import_errors')`, values: [] },
      ],
      timeoutMs: searchMs,
      keeps: () => false,
    });
    return JSON.parse(results.at(-1)?.rows[0]?.[0] ?? '[]') as LineError[];
  } catch (error) {
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}
