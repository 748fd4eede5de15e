import type { Column, Relation } from '../../catalog/catalog.ts';
import { buildTree } from '../embed/build-tree.ts';
import { outputOptions } from '../output-options.ts';
import type { Plan } from '../plan.ts';
import type { DeleteRequest } from '../request.ts';
import { resultSql } from '../result/result-sql.ts';
import { Aliases } from '../select/aliases.ts';
import { outputsOf } from '../select/output.ts';
import { selectSql } from '../select/select-sql.ts';
import { ReturnedSource } from '../select/source.ts';
import { bind, join, name, type Sql, sql, toStatement, catalogSql } from '../sql.ts';

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

const fromWrittenRows = ({ name: alias }: Relation): Sql => sql`${written} AS ${name(alias)}`;

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
  const outputs = outputsOf(node, options);
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
