import type { Condition } from '../../query/query.ts';
import { conditionsSql } from '../filter/condition.ts';
import { bind, join, name, type Sql, sql } from '../sql.ts';
import { storedValue } from './field.ts';
import { type Child, childrenOf, type Node } from './node.ts';
import { type FindGroupValue, findChild, orderFieldsOf, orderName, orderSql } from './order.ts';
import {
  hasAggregates,
  type Output,
  outputList,
  type OutputOptions,
  outputsOf,
  spreadName,
  spreadOutputs,
} from './output.ts';

/** Returns the query of a level with all embedded resources. */
export function selectSql(node: Node, outputs: readonly Output[], options: OutputOptions): Sql {
  const scope = { catalog: options.catalog, source: node.source };
  const rows = rowsSql(node, childrenOf(node), options);
  const groups = hasAggregates(outputs) ? outputs.flatMap(({ group }) => (group ? [group] : [])) : [];
  const grouped = groups.length > 0 ? sql` GROUP BY ${join(groups, ', ')}` : sql``;
  const order = orderSql(scope, node, hasAggregates(outputs) ? findGroupValueIn(options) : undefined);
  return sql`SELECT ${outputList(outputs)} ${rows}${grouped}${order}${boundsSql(node)}`;
}

/** Returns the group expressions of spread columns. */
function findGroupValueIn(options: OutputOptions): FindGroupValue {
  const known = new Map<Child, readonly Output[]>();
  return (child, column) => {
    if (!child.isSpread) return undefined;
    const outputs = known.get(child) ?? outputsOf(child.node, { ...options, listsColumns: true });
    known.set(child, outputs);
    const index = outputs.findIndex((output) => output.name === column && !output.aggregate);
    return index === -1 ? undefined : name(child.alias, spreadName(index));
  };
}

/** Returns the same rows without order and limit, with only what affects the row count. */
export function countedSql(node: Node, outputs: readonly Output[], options: OutputOptions): Sql {
  if (hasAggregates(outputs)) {
    const { path, conditions } = node.level;
    return selectSql(
      { ...node, level: { path, conditions, order: [] }, maxRows: undefined },
      outputs,
      options,
    );
  }
  const deciding = childrenOf(node).filter(
    (child) =>
      child.isInner || namesIn(node.level.conditions).some((called) => findChild(node, called) === child),
  );
  return sql`SELECT 1 ${rowsSql(node, deciding, options)}`;
}

type Bounds = Pick<Node, 'level' | 'maxRows'>;

export const isBounded = (bounds: Bounds): boolean =>
  limitOf(bounds) !== undefined || (bounds.level.offset ?? 0) > 0;

/** Returns the effective limit of the request and the settings. */
function limitOf({ level, maxRows }: Bounds): number | undefined {
  const limits = [level.limit, maxRows].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function boundsSql(bounds: Bounds): Sql {
  const [limit, offset] = [limitOf(bounds), bounds.level.offset ?? 0];
  const limited = limit === undefined ? sql`` : sql` LIMIT ${bind(String(limit))}`;
  return offset === 0 ? limited : sql`${limited} OFFSET ${bind(String(offset))}`;
}

/** Returns `FROM … WHERE …`, with `last` after all joins. */
function rowsSql(node: Node, children: readonly Child[], options: OutputOptions, last: Sql = sql``): Sql {
  const { source, from, joins, level } = node;
  const laterals = children.map((child) => lateralSql(child, node, options));
  const conditions = conditionsSql(
    {
      catalog: options.catalog,
      source,
      findEmbedded: (called) => {
        const child = findChild(node, called);
        return child && name(child.alias, 'found');
      },
    },
    level.conditions,
  );
  const all = [...joins, ...conditions];
  const where = all.length === 0 ? sql`` : sql` WHERE ${join(all, ' AND ')}`;
  return sql`FROM ${join([from, ...laterals, last], ' ')}${where}`;
}

/** Returns the lateral join of an embedded resource; `found` is null if it has no rows. */
function lateralSql(child: Child, parent: Node, options: OutputOptions): Sql {
  const query = child.isToMany ? toManySql(child, options) : toOneSql(child, parent, options);
  const alias = name(child.alias);
  if (!child.isInner) return sql`LEFT JOIN LATERAL (${query}) AS ${alias} ON TRUE`;
  return sql`INNER JOIN LATERAL (${query}) AS ${alias} ON ${alias}."found"`;
}

function toManySql({ node, isSpread }: Child, options: OutputOptions): Sql {
  const outputs = outputsOf(node, { ...options, listsColumns: isSpread });
  const selected = isSpread ? spreadOutputs(outputs, true) : outputs;
  const rows = selectSql(node, selected, options);
  const values = isSpread
    ? selected.map(({ name: column = '' }) => sql`json_agg("row".${name(column)}) AS ${name(column)}`)
    : [sql`json_agg("row".*) AS "value"`];
  const found = sql`CASE WHEN count(*) > 0 THEN TRUE END AS "found"`;
  return sql`SELECT ${join([...values, found], ', ')} FROM (${rows}) AS "row"`;
}

function toOneSql(child: Child, parent: Node, options: OutputOptions): Sql {
  const { node, isSpread } = child;
  const outputs = outputsOf(node, { ...options, listsColumns: isSpread });
  const selected = isSpread ? spreadOutputs(outputs, false) : outputs;
  const values = isSpread
    ? selected.map(({ name: column = '' }) => name('row', column))
    : [sql`row_to_json("row".*) AS "value"`];
  const found = sql`TRUE AS "found"`;
  if (hasAggregates(selected)) {
    const rows = selectSql(node, selected, options);
    return sql`SELECT ${join([...values, found], ', ')} FROM (${rows}) AS "row"`;
  }
  const scope = { catalog: options.catalog, source: node.source };
  // Order fields of the parent level need not be selected.
  const orders = orderFieldsOf(parent, child).map(
    (field, index) => sql`${storedValue(scope, field)} AS ${name(orderName(index))}`,
  );
  const row = sql`CROSS JOIN LATERAL (SELECT ${outputList(selected)}) AS "row"`;
  const rows = rowsSql(node, childrenOf(node), options, row);
  const bounds = sql`${orderSql(scope, node)}${boundsSql({ ...node, maxRows: undefined })}`;
  return sql`SELECT ${join([...values, found, ...orders], ', ')} ${rows}${bounds}`;
}

function namesIn(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap((condition) =>
    condition.kind === 'test' ? [condition.field.column] : namesIn(condition.conditions),
  );
}
