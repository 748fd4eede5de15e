import { buildTree } from './embed/build-tree.ts';
import { outputOptions } from './output-options.ts';
import type { Plan } from './plan.ts';
import type { PlanRequest, ReadRequest } from './request.ts';
import { resultSql } from './result/result-sql.ts';
import { Aliases } from './select/aliases.ts';
import type { Node } from './select/node.ts';
import { type Output, outputsOf } from './select/output.ts';
import { countedSql, isBounded, selectSql } from './select/select-sql.ts';
import { directSource } from './select/source.ts';
import { bind, name, type Sql, sql, toStatement } from './sql.ts';

/**
 * Plans GET and HEAD of a relation.
 * @throws GatewayError for missing or ambiguous relationships, disabled aggregates, unknown casts, and filters or
 * orders of resources that are not embedded
 */
export function planRead(request: ReadRequest): Plan {
  const { catalog, settings, query, relation, format, withBody } = request;
  const node = buildTree(
    { catalog, aliases: new Aliases(relation.name), maxRows: settings.maxRows },
    {
      source: directSource(relation.name, relation),
      from: sql`${name(relation.schema, relation.name)} AS ${name(relation.name)}`,
      joins: [],
    },
    query.select.length === 0 ? [{ kind: 'all' }] : query.select,
    [query.root, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = outputsOf(node, options);
  const counted = countOf(node, outputs, request);
  const main = resultSql({
    rows: selectSql(node, outputs, options),
    outputs,
    format,
    withBody,
    total: counted.total,
  });
  return {
    main: toStatement(main),
    isReadOnly: true,
    ...(counted.explained && {
      explain: toStatement(sql`EXPLAIN (FORMAT JSON) ${counted.explained}`),
    }),
  };
}

/**
 * Returns SQL for the total number of rows. An estimated count is exact up to the maximum rows of a response and uses
 * the planner above; without a maximum it is exact.
 */
function countOf(
  node: Node,
  outputs: readonly Output[],
  request: PlanRequest,
): { total?: Sql; explained?: Sql } {
  const { count } = request.preferences;
  const { maxRows } = request.settings;
  if (count === undefined) return {};
  const rows = countedSql(node, outputs, outputOptions(request));
  if (count === 'planned') return { explained: rows };
  if (!isBounded(node)) return { total: sql`count(*)::text` };
  if (count === 'exact' || maxRows === undefined) return { total: countSql(rows) };
  return { total: countSql(sql`${rows} LIMIT ${bind(String(maxRows + 1))}`), explained: rows };
}

const countSql = (rows: Sql): Sql => sql`(SELECT count(*)::text FROM (${rows}) AS "all")`;
