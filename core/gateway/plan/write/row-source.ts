import { truncate } from '../../../base/text/truncate.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { Column, Relation } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { Body } from '../../query/query.ts';
import type { WriteRequest } from '../request.ts';
import { bind, join, name, type Sql, sql, catalogSql } from '../sql.ts';

/** Contains a space, to avoid conflicts with relation names. */
const bodyAlias = 'given values';
const eachName = 'each given';

/** Rows of a body: a value per written column, selected from `from`. */
export interface RowSource {
  readonly columns: readonly Column[];
  readonly values: readonly Sql[];
  readonly from: Sql;
}

/**
 * Returns SQL that reads a body: each value by its type, represented columns by the body conversion. With
 * `missing=default`, a missing key means the default, which is not converted.
 * @throws GatewayError PGRST204 for a key that is not a column
 */
export function readRows({ relation, query, body, preferences }: WriteRequest): RowSource {
  const fillsGaps = preferences.missing === 'default';
  const columns = [...new Set(query.columns ?? body.keys)].map((key) => findColumn(relation, key));
  const list = columns.map((column) => {
    const type = column.representation?.body ? 'json' : column.typeSql;
    return sql`${name(column.name)} ${catalogSql(type)}`;
  });
  const values = columns.map((column) => {
    const value = bodyColumnValue(column);
    return fillsGaps ? valueOrDefault(column, value) : value;
  });
  return { columns, values, from: fillsGaps ? eachRow(body, list) : allRows(body, list) };
}

function findColumn(relation: Relation, key: string): Column {
  const column = relation.columns.find((one) => one.name === key);
  if (column) return column;
  const nearest = findNearest(
    key,
    relation.columns.map((one) => one.name),
  );
  throw new GatewayError(
    400,
    'PGRST204',
    `Could not find the '${truncate(key, 100)}' column of '${relation.name}' in the schema cache`,
    { hint: nearest === undefined ? null : `Perhaps you meant the column '${nearest}'.` },
  );
}

function bodyColumnValue({ name: column, representation }: Column): Sql {
  const bodyColumn = name(bodyAlias, column);
  const conversion = representation?.body;
  if (!conversion) return bodyColumn;
  return sql`${catalogSql(conversion.functionSql)}(${bodyColumn}::${catalogSql(conversion.argumentTypeSql)})`;
}

function valueOrDefault({ name: column, typeSql, defaultSql }: Column, value: Sql): Sql {
  const missing = sql`(${name(eachName, 'row')} -> ${bind(column)}::text) IS NULL`;
  const fallback = defaultSql === null ? sql`NULL` : sql`(${catalogSql(defaultSql)})`;
  return sql`CASE WHEN ${missing} THEN ${fallback}::${catalogSql(typeSql)} ELSE ${value} END`;
}

const allRows = ({ json, isArray }: Body, list: readonly Sql[]): Sql => {
  const read = catalogSql(isArray ? 'json_to_recordset' : 'json_to_record');
  return sql`${read}(${bind(json)}::json) AS ${name(bodyAlias)}(${join(list, ', ')})`;
};

/** Includes each raw row, which distinguishes missing from null. */
const eachRow = ({ json, isArray }: Body, list: readonly Sql[]): Sql => {
  const rows = isArray
    ? sql`json_array_elements(${bind(json)}::json) AS ${name(eachName)}("row")`
    : sql`(SELECT ${bind(json)}::json) AS ${name(eachName)}("row")`;
  return sql`${rows} CROSS JOIN LATERAL json_to_record(${name(eachName, 'row')}) AS ${name(bodyAlias)}(${join(list, ', ')})`;
};
