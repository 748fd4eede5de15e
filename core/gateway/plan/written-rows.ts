import { truncate, findNearest } from '../../base/text.ts';
import type { Column, Relation } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Body } from '../query/query.ts';
import { buildTree } from './embed.ts';
import { outputOptions, type Plan, type DeleteRequest, type WriteRequest, resultSql } from './request.ts';
import { Aliases, ReturnedSource } from './select-node.ts';
import { getOutputs } from './select-output.ts';
import { selectSql } from './select-sql.ts';
import { bind, join, identifier, type Sql, sql, toStatement, catalogSql } from './sql.ts';

/** Options of a write statement. */
export interface WriteOptions {
  /** Number of inserted rows, as text; absent if not requested. */
  readonly inserted?: Sql;
  /** Whether to return the key of a single row, for `Location`. */
  readonly hasKey?: boolean;
  /** Whether the statement is only the rest of a query, from FROM on. */
  readonly isQuery?: boolean;
  /** Alias of the relation in the statement. Default: its name. */
  readonly writtenAs?: string;
}

const written = sql`"written"`;
const countWritten = sql`(SELECT count(*)::text FROM ${written})`;

/**
 * Plans a write statement and the representation of its rows.
 * @param statement without RETURNING, which is added
 */
export function planWrite(request: DeleteRequest, statement: Sql, options: WriteOptions = {}): Plan {
  const { relation, preferences } = request;
  const source = new ReturnedSource(relation.name, relation);
  const main =
    preferences.return === 'representation'
      ? representationSql(request, source, options)
      : countSql(relation, source, options);
  const returned = source.returned(options.writtenAs ?? relation.name);
  const list = returned.length === 0 ? sql`1 AS "one"` : join(returned, ', ');
  const whole =
    options.isQuery === true ? sql`SELECT ${list} ${statement}` : sql`${statement} RETURNING ${list}`;
  return {
    main: toStatement(sql`WITH ${written} AS (${whole}) ${main}`),
    isReadOnly: false,
  };
}

const fromWrittenRows = ({ name: alias }: Relation): Sql => sql`${written} AS ${identifier(alias)}`;

function representationSql(request: DeleteRequest, source: ReturnedSource, { inserted }: WriteOptions): Sql {
  const { catalog, query, relation, format } = request;
  const { path, order, limit, offset } = query.root;
  // Rows were filtered when written; afterwards the filters may no longer match.
  const level = {
    path,
    order,
    conditions: [],
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  };
  const node = buildTree(
    { catalog, aliases: new Aliases(relation.name) },
    { source, from: fromWrittenRows(relation), joins: [] },
    query.select.length === 0 ? [{ kind: 'all' }] : query.select,
    [level, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = getOutputs(node, options);
  return resultSql({
    rows: selectSql(node, outputs, options),
    outputs,
    format,
    withBody: true,
    inserted,
    // For a single object, only the number of shown rows matters.
    shown: format.kind === 'object' ? undefined : countWritten,
  });
}

function countSql(relation: Relation, source: ReturnedSource, { inserted, hasKey }: WriteOptions): Sql {
  const columns = hasKey ? relation.primaryKey : [];
  const selected = columns.length === 0 ? sql`1` : sql`${keySql(relation, source)} AS "key"`;
  return resultSql({
    rows: sql`SELECT ${selected} FROM ${fromWrittenRows(relation)}`,
    outputs: [],
    format: { kind: 'array', stripsNulls: false },
    withBody: false,
    inserted,
    key:
      columns.length === 0
        ? undefined
        : sql`CASE WHEN count(*) = 1 THEN (json_agg("row"."key") -> 0)::text END`,
  });
}

/** Returns each key column as a filter accepts it (PostgREST returns the stored value). */
function keySql(relation: Relation, source: ReturnedSource): Sql {
  const pairs = relation.primaryKey.map((key) => {
    const column = relation.columns.find((one) => one.name === key);
    return sql`${bind(key)}::text, ${filterText(column, source.column(key))}`;
  });
  return sql`json_build_object(${join(pairs, ', ')})`;
}

function filterText(column: Column | undefined, value: Sql): Sql {
  const { filter, response } = column?.representation ?? {};
  if (!filter || !response) return sql`${value}::text`;
  return sql`${catalogSql(response.functionSql)}(${value}) #>> '{}'`;
}

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
    return sql`${identifier(column.name)} ${catalogSql(type)}`;
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
  const bodyColumn = identifier(bodyAlias, column);
  const conversion = representation?.body;
  if (!conversion) return bodyColumn;
  return sql`${catalogSql(conversion.functionSql)}(${bodyColumn}::${catalogSql(conversion.argumentTypeSql)})`;
}

function valueOrDefault({ name: column, typeSql, defaultSql }: Column, value: Sql): Sql {
  const missing = sql`(${identifier(eachName, 'row')} -> ${bind(column)}::text) IS NULL`;
  const fallback = defaultSql === null ? sql`NULL` : sql`(${catalogSql(defaultSql)})`;
  return sql`CASE WHEN ${missing} THEN ${fallback}::${catalogSql(typeSql)} ELSE ${value} END`;
}

const allRows = ({ json, isArray }: Body, list: readonly Sql[]): Sql => {
  const read = catalogSql(isArray ? 'json_to_recordset' : 'json_to_record');
  return sql`${read}(${bind(json)}::json) AS ${identifier(bodyAlias)}(${join(list, ', ')})`;
};

/** Includes each raw row, which distinguishes missing from null. */
const eachRow = ({ json, isArray }: Body, list: readonly Sql[]): Sql => {
  const rows = isArray
    ? sql`json_array_elements(${bind(json)}::json) AS ${identifier(eachName)}("row")`
    : sql`(SELECT ${bind(json)}::json) AS ${identifier(eachName)}("row")`;
  return sql`${rows} CROSS JOIN LATERAL json_to_record(${identifier(eachName, 'row')}) AS ${identifier(bodyAlias)}(${join(list, ', ')})`;
};
