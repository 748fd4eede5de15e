import type { Catalog, ComputedColumn, ResultColumn } from '../../catalog/catalog.ts';
import type { Field, JsonStep } from '../../query/query.ts';
import { bindKey, type Sql, sql, catalogSql } from '../sql.ts';
import type { Source } from './source.ts';

/** Scope of column names. */
export interface Scope {
  readonly catalog: Catalog;
  readonly source: Source;
}

/** Returns a column of the catalog; undefined for computed and unknown columns, which PostgreSQL resolves. */
export const findColumn = ({ source }: Scope, column: string): ResultColumn | undefined =>
  source.columns?.find(({ name }) => name === column);

/** Returns a column or computed column; undefined for unknown ones, which PostgreSQL resolves. */
export const findValue = (scope: Scope, column: string): Omit<ComputedColumn, 'functionSql'> | undefined =>
  findColumn(scope, column) ?? findComputed(scope, column);

const findComputed = ({ catalog, source }: Scope, column: string): ComputedColumn | undefined =>
  source.relation && catalog.computedColumns(source.relation).get(column);

/** Returns the stored value of a field in a comparable type, for filters and aggregates. */
export function comparableValue(scope: Scope, field: Field): Sql {
  const stored = storedValue(scope, field);
  const comparedAs = field.json.length === 0 && findValue(scope, field.column)?.comparedAs;
  return comparedAs ? sql`${stored}::${catalogSql(comparedAs)}` : stored;
}

/** Returns the stored value of a field, for orders and groups. Conversions apply only to JSON paths. */
export function storedValue(scope: Scope, { column, json }: Field): Sql {
  if (json.length === 0) return plainValue(scope, column);
  const response = findValue(scope, column)?.representation?.response;
  // A JSON path refers to the presented form; jsonb is comparable.
  const value = response
    ? sql`to_jsonb(${catalogSql(response.functionSql)}(${plainValue(scope, column)}))`
    : jsonValue(scope, column);
  return followPath(value, json);
}

/** Returns the presented value of a field, through the response conversion of its domain. */
export function selectExpression(scope: Scope, { column, json }: Field): Sql {
  const response = findValue(scope, column)?.representation?.response;
  if (!response) return storedValue(scope, { column, json });
  return followPath(sql`${catalogSql(response.functionSql)}(${plainValue(scope, column)})`, json);
}

/** Returns the key of a field in a response: the last path key, else the column. */
export function fieldName({ column, json }: Field): string {
  const last = json.findLast(({ key }) => typeof key === 'string');
  return last === undefined ? column : String(last.key);
}

function plainValue(scope: Scope, column: string): Sql {
  const { source } = scope;
  const computed = findColumn(scope, column) ? undefined : findComputed(scope, column);
  return computed ? sql`${catalogSql(computed.functionSql)}(${source.wholeRow()})` : source.column(column);
}

/**
 * Returns the value for a JSON path. Composite values and arrays are converted; json stays unchanged with its number
 * spelling.
 */
function jsonValue(scope: Scope, column: string): Sql {
  const type = findColumn(scope, column)?.baseTypeSql;
  const value = plainValue(scope, column);
  return type === 'json' || type === 'jsonb' ? value : sql`to_jsonb(${value})`;
}

function followPath(value: Sql, steps: readonly JsonStep[]): Sql {
  let reached = value;
  for (const { arrow, key } of steps) {
    const bound = bindKey(key);
    reached = arrow === '->' ? sql`${reached} -> ${bound}` : sql`${reached} ->> ${bound}`;
  }
  return steps.length === 0 ? value : sql`(${reached})`;
}
