import { AppError } from '../../base/errors.ts';
import type { StatementResult } from '../../store/sql/database.ts';
import type { Catalog, Column, Relation } from '../catalog/catalog.ts';
import { convertValue } from '../plan/filter.ts';
import { bind, catalogSql, identifier, join, type Sql, sql } from '../plan/sql.ts';

/** A table of the catalog whose rows are shown and edited. */
export interface Table {
  readonly relation: Relation;
  readonly catalog: Catalog;
  /** Columns that identify a row; undefined without a primary key or a unique key of columns that are never null. */
  readonly key: readonly Column[] | undefined;
}

/** Maximum length of a value in a list, in code points. Longer values are cut. */
export const maxShownLength = 1_000;

/** @throws `not_found` for a table outside the exposed schemas */
export function findTable(catalog: Catalog, { schema, table }: { schema: string; table: string }): Table {
  const relation = catalog.findRelation(schema, table);
  if (relation === undefined)
    throw new AppError('not_found', `Table ${schema}.${table} not found in the exposed schemas.`);
  return { relation, catalog, key: findKey(relation) };
}

function findKey({ columns, primaryKey, uniqueKeys }: Relation): readonly Column[] | undefined {
  const find = (names: readonly string[]): readonly Column[] | undefined => {
    const found = names.map((name) => columns.find((column) => column.name === name));
    return found.length > 0 && found.every((column) => column !== undefined) ? found : undefined;
  };
  return (
    find(primaryKey) ??
    uniqueKeys.map(find).find((key) => key?.every(({ isNullable }) => !isNullable) === true)
  );
}

/** Returns why rows cannot be changed; undefined if they can. */
export function readOnlyReason({ relation, key }: Table): string | undefined {
  const { kind } = relation;
  if (kind === 'view' || kind === 'materialized view' || kind === 'foreign table')
    return `Rows of a ${kind} are read-only here. Edit the table that contains them.`;
  if (key === undefined)
    return 'Rows are read-only: the table has no primary key and no unique key of NOT NULL columns. Add one with ALTER TABLE … ADD PRIMARY KEY.';
  return undefined;
}

/** @throws `conflict` if rows of the table cannot be changed */
export function requireKey(table: Table): readonly Column[] {
  const reason = readOnlyReason(table);
  if (reason !== undefined || table.key === undefined) throw new AppError('bad_request', reason ?? '');
  return table.key;
}

/** @throws `bad_request` for an unknown column */
export function findColumn({ relation }: Pick<Table, 'relation'>, name: string): Column {
  const column = relation.columns.find((each) => each.name === name);
  if (column !== undefined) return column;
  throw new AppError('bad_request', `Column ${name} not found in ${relation.schema}.${relation.name}.`);
}

export const tableSql = ({ schema, name }: Relation): Sql => identifier(schema, name);

/** Returns the stored value of a column as text. */
export const storedText = ({ name }: Pick<Column, 'name'>): Sql => sql`${identifier(name)}::text`;

/** Returns the value of a column as clients of the gateway see it, as text. */
export function shownText(column: Pick<Column, 'name' | 'representation'>): Sql {
  const response = column.representation?.response;
  if (response === undefined) return storedText(column);
  return sql`(${catalogSql(response.functionSql)}(${identifier(column.name)}) #>> '{}')`;
}

/** Returns a value that PostgreSQL can compare: a domain over an enum is compared as that enum. */
export const comparable = ({ name, comparedAs }: Column): Sql =>
  comparedAs === null ? identifier(name) : sql`${identifier(name)}::${catalogSql(comparedAs)}`;

/** Returns a value typed by a person, converted as in a request body. Without a cast, too long strings are errors. */
export function writtenSql({ representation }: Column, value: string | null): Sql {
  const body = representation?.body;
  if (value === null || body === undefined) return bind(value);
  return convertValue(body, sql`to_json(${bind(value)}::text)`);
}

/** Returns the condition for the row with these stored key values. */
export function keyCondition(key: readonly Column[], values: readonly string[]): Sql {
  if (values.length !== key.length)
    throw new AppError('bad_request', `The key has ${values.length} values. Expected: ${key.length}.`);
  return join(
    key.map((column, index) => sql`${comparable(column)} = ${bind(values[index] ?? '')}`),
    ' AND ',
  );
}

/** Returns the list of selected values that {@link readRow} reads. */
export function rowOutputs({ relation, key = [] }: Table): Sql {
  const start = (text: Sql): Sql => sql`left(${text}, ${catalogSql(String(maxShownLength + 1))})`;
  return outputList([
    ...relation.columns.map((column) => start(shownText(column))),
    ...relation.columns.filter(hasPresentation).map((column) => start(storedText(column))),
    ...key.map(storedText),
  ]);
}

/** Returns a SELECT list without the names of columns, to which ORDER BY would otherwise refer. */
export const outputList = (values: readonly Sql[]): Sql =>
  join(
    values.map((value) => sql`${value} AS "stepwright value"`),
    ', ',
  );

const hasPresentation = ({ representation }: Column): boolean => representation?.response !== undefined;

/** A value of a row. */
export interface Cell {
  /** As clients of the gateway see it; null for NULL. */
  readonly text: string | null;
  /** Stored value of a domain with a conversion. */
  readonly stored?: string | null;
  readonly isCut?: boolean;
}

export interface Row {
  /** Stored values of the key columns; empty without a key. */
  readonly key: readonly string[];
  /** In the order of the columns. */
  readonly cells: readonly Cell[];
}

/** Reads a row of {@link rowOutputs}. */
export function readRow({ relation: { columns } }: Table, values: StatementResult['rows'][number]): Row {
  const presented = columns.filter(hasPresentation);
  const cells = columns.map((column, index) => {
    const at = presented.indexOf(column);
    const [text, stored] = [values[index] ?? null, values[columns.length + at] ?? null];
    const isCut = [text, at < 0 ? null : stored].some((each) => each !== null && isLong(each));
    return {
      text: cut(text),
      ...(at >= 0 && { stored: cut(stored) }),
      ...(isCut && { isCut }),
    };
  });
  return { key: values.slice(columns.length + presented.length).map((value) => value ?? ''), cells };
}

const isLong = (text: string): boolean => text.length > maxShownLength && [...text].length > maxShownLength;

const cut = (text: string | null): string | null =>
  text !== null && isLong(text) ? [...text].slice(0, maxShownLength).join('') : text;
