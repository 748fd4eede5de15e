import type { Catalog, ComputedColumn, ResultColumn } from '../../catalog/catalog.ts';
import type { Field, JsonStep } from '../../query/query.ts';
import { bindKey, type Sql, sql, trusted } from '../sql.ts';
import type { Source } from './source.ts';

/** Where names of columns are looked up. */
export interface Scope {
  readonly catalog: Catalog;
  readonly source: Source;
}

/** A column as the catalog knows it; undefined for computed and unknown ones, of which PostgreSQL decides. */
export const findColumn = ({ source }: Scope, column: string): ResultColumn | undefined =>
  source.columns?.find(({ name }) => name === column);

/** What is known of the values of a column, be it computed; undefined for unknown ones, of which PostgreSQL decides. */
export const findValue = (scope: Scope, column: string): Omit<ComputedColumn, 'functionSql'> | undefined =>
  findColumn(scope, column) ?? findComputed(scope, column);

const findComputed = ({ catalog, source }: Scope, column: string): ComputedColumn | undefined =>
  source.relation && catalog.computedColumns(source.relation).get(column);

/** A field as it is stored, in a type that PostgreSQL has operators for: what filters test and aggregates take. */
export function comparableValue(scope: Scope, field: Field): Sql {
  const stored = storedValue(scope, field);
  const comparedAs = field.json.length === 0 && findValue(scope, field.column)?.comparedAs;
  return comparedAs ? sql`${stored}::${trusted(comparedAs)}` : stored;
}

/** A field as it is stored: what orders sort and groups gather. Conversions never touch it, but for ways into it. */
export function storedValue(scope: Scope, { column, json }: Field): Sql {
  if (json.length === 0) return plainValue(scope, column);
  const response = findValue(scope, column)?.representation?.response;
  // What is presented has the keys that a request knows of; as jsonb it can be compared.
  const value = response
    ? sql`to_jsonb(${trusted(response.functionSql)}(${plainValue(scope, column)}))`
    : jsonValue(scope, column);
  return followPath(value, json);
}

/** A field as responses show it: through the response conversion of its domain, if there is one. */
export function presentedValue(scope: Scope, { column, json }: Field): Sql {
  const response = findValue(scope, column)?.representation?.response;
  if (!response) return storedValue(scope, { column, json });
  return followPath(sql`${trusted(response.functionSql)}(${plainValue(scope, column)})`, json);
}

/** Key of a field in a response: its last key, else its column. */
export function fieldName({ column, json }: Field): string {
  const last = json.findLast(({ key }) => typeof key === 'string');
  return last === undefined ? column : String(last.key);
}

function plainValue(scope: Scope, column: string): Sql {
  const { source } = scope;
  const computed = findColumn(scope, column) ? undefined : findComputed(scope, column);
  return computed ? sql`${trusted(computed.functionSql)}(${source.wholeRow()})` : source.column(column);
}

/** Composite values and arrays, too, have ways into them; json itself is left as it is, with its spelling of numbers. */
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
