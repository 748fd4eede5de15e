import type { Condition, Field, OrderTerm } from '../query/query.ts';
import { GatewayError } from '../gateway-error.ts';
import { conditionsSql } from './filter.ts';
import { bind, join, identifier, type Sql, sql, catalogSql, unknownEmbedError } from './sql.ts';
import { storedValue, type Child, getChildren, type Node, type Scope } from './select-node.ts';
import {
  hasAggregates,
  type Output,
  outputList,
  type OutputOptions,
  getOutputs,
  spreadName,
  spreadOutputs,
} from './select-output.ts';

/** Returns the query of a level with all embedded resources. */
export function selectSql(node: Node, outputs: readonly Output[], options: OutputOptions): Sql {
  const scope = { catalog: options.catalog, source: node.source };
  const rows = rowsSql(node, getChildren(node), options);
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
    const outputs = known.get(child) ?? getOutputs(child.node, { ...options, listsColumns: true });
    known.set(child, outputs);
    const index = outputs.findIndex((output) => output.name === column && !output.aggregate);
    return index === -1 ? undefined : identifier(child.alias, spreadName(index));
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
  const deciding = getChildren(node).filter(
    (child) =>
      child.isInner || namesIn(node.level.conditions).some((called) => findChild(node, called) === child),
  );
  return sql`SELECT 1 ${rowsSql(node, deciding, options)}`;
}

type Bounds = Pick<Node, 'level' | 'maxRows'>;

export const isBounded = (bounds: Bounds): boolean =>
  getLimit(bounds) !== undefined || (bounds.level.offset ?? 0) > 0;

/** Returns the effective limit of the request and the settings. */
function getLimit({ level, maxRows }: Bounds): number | undefined {
  const limits = [level.limit, maxRows].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function boundsSql(bounds: Bounds): Sql {
  const [limit, offset] = [getLimit(bounds), bounds.level.offset ?? 0];
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
        return child && identifier(child.alias, 'found');
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
  const alias = identifier(child.alias);
  if (!child.isInner) return sql`LEFT JOIN LATERAL (${query}) AS ${alias} ON TRUE`;
  return sql`INNER JOIN LATERAL (${query}) AS ${alias} ON ${alias}."found"`;
}

function toManySql({ node, isSpread }: Child, options: OutputOptions): Sql {
  const outputs = getOutputs(node, { ...options, listsColumns: isSpread });
  const selected = isSpread ? spreadOutputs(outputs, true) : outputs;
  const rows = selectSql(node, selected, options);
  const values = isSpread
    ? selected.map(
        ({ name: column = '' }) => sql`json_agg("row".${identifier(column)}) AS ${identifier(column)}`,
      )
    : [sql`json_agg("row".*) AS "value"`];
  const found = sql`CASE WHEN count(*) > 0 THEN TRUE END AS "found"`;
  return sql`SELECT ${join([...values, found], ', ')} FROM (${rows}) AS "row"`;
}

function toOneSql(child: Child, parent: Node, options: OutputOptions): Sql {
  const { node, isSpread } = child;
  const outputs = getOutputs(node, { ...options, listsColumns: isSpread });
  const selected = isSpread ? spreadOutputs(outputs, false) : outputs;
  const values = isSpread
    ? selected.map(({ name: column = '' }) => identifier('row', column))
    : [sql`row_to_json("row".*) AS "value"`];
  const found = sql`TRUE AS "found"`;
  if (hasAggregates(selected)) {
    const rows = selectSql(node, selected, options);
    return sql`SELECT ${join([...values, found], ', ')} FROM (${rows}) AS "row"`;
  }
  const scope = { catalog: options.catalog, source: node.source };
  // Order fields of the parent level need not be selected.
  const orders = getOrderFields(parent, child).map(
    (field, index) => sql`${storedValue(scope, field)} AS ${identifier(orderName(index))}`,
  );
  const row = sql`CROSS JOIN LATERAL (SELECT ${outputList(selected)}) AS "row"`;
  const rows = rowsSql(node, getChildren(node), options, row);
  const bounds = sql`${orderSql(scope, node)}${boundsSql({ ...node, maxRows: undefined })}`;
  return sql`SELECT ${join([...values, found, ...orders], ', ')} ${rows}${bounds}`;
}

function namesIn(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap((condition) =>
    condition.kind === 'test' ? [condition.field.column] : namesIn(condition.conditions),
  );
}

/** Returns the group value of an embedded resource's column, if rows are grouped. */
type FindGroupValue = (child: Child, column: string) => Sql | undefined;

/**
 * Returns ` ORDER BY …` by stored values, or nothing.
 * @param findGroupValue absent if rows are not grouped
 * @throws GatewayError PGRST108 and PGRST118 for resources that are not embedded or not to-one
 */
function orderSql(scope: Scope, node: Node, findGroupValue?: FindGroupValue): Sql {
  const { order } = node.level;
  if (order.length === 0) return sql``;
  const terms = order.map((term) => {
    const value =
      term.relation === undefined ? storedValue(scope, term.field) : relatedValue(node, term, findGroupValue);
    const nulls = term.nulls === undefined ? '' : term.nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST';
    return sql`${value}${catalogSql(term.direction === 'asc' ? ' ASC' : ' DESC')}${catalogSql(nulls)}`;
  });
  return sql` ORDER BY ${join(terms, ', ')}`;
}

/** Returns the fields of an embedded resource by which the parent level is ordered. */
const getOrderFields = (parent: Node, child: Child): readonly Field[] =>
  getOrderTerms(parent, child).map(({ field }) => resolveAlias(child, field));

interface RelatedOrders {
  /** Source of the cached entry: a level is planned with its order and without. */
  readonly order: readonly OrderTerm[];
  readonly termsByChild: ReadonlyMap<Child | undefined, readonly OrderTerm[]>;
  /** Index of each term among those of its child. */
  readonly positions: ReadonlyMap<OrderTerm, number>;
}

/** Cached by the items of a level, so that many terms are scanned once. */
const relatedOrders = new WeakMap<Node['items'], RelatedOrders>();

function getOrderTerms(parent: Node, child: Child): readonly OrderTerm[] {
  return collectRelated(parent).termsByChild.get(child) ?? [];
}

function collectRelated(parent: Node): RelatedOrders {
  const { order } = parent.level;
  const known = relatedOrders.get(parent.items);
  if (known?.order === order) return known;
  const find = childFinder(parent);
  const related = order.filter((term) => term.relation !== undefined);
  const termsByChild = Map.groupBy(related, ({ relation = '' }) => find(relation));
  const positions = new Map(
    [...termsByChild.values()].flatMap((terms) => terms.map((term, position) => [term, position] as const)),
  );
  const made = { order, termsByChild, positions };
  relatedOrders.set(parent.items, made);
  return made;
}

/** Resolves an alias of `select=`, unless a column has the same name. */
function resolveAlias({ relation, node }: Child, field: Field): Field {
  if (field.json.length > 0 || relation.columns.some(({ name: column }) => column === field.column))
    return field;
  const item = node.items.find((each) => each.kind === 'field' && each.alias === field.column);
  return item?.kind === 'field' && item.field && !item.aggregate ? item.field : field;
}

/** Returns the column name of an order field in a lateral query. */
const orderName = (index: number): string => `order ${index}`;

function relatedValue(node: Node, term: OrderTerm, findGroupValue?: FindGroupValue): Sql {
  const { relation = '', field } = term;
  const child = findChild(node, relation);
  if (!child) throw unknownEmbedError(relation);
  if (child.isToMany) {
    const relationName = node.source.relation?.name ?? 'the result';
    throw new GatewayError(400, 'PGRST118', `A related order on '${relation}' is not possible`, {
      details: `'${relationName}' and '${child.relation.name}' do not form a many-to-one or one-to-one relationship`,
    });
  }
  if (!findGroupValue)
    return identifier(child.alias, orderName(collectRelated(node).positions.get(term) ?? 0));
  const grouped = field.json.length === 0 ? findGroupValue(child, field.column) : undefined;
  if (grouped) return grouped;
  throw new GatewayError(
    400,
    '42803',
    `column "${child.name}.${field.column}" must appear in the GROUP BY clause or be used in an aggregate function`,
    { hint: `Select it as well: ...${child.name}(${field.column}).` },
  );
}

const findChild = (node: Node, called: string): Child | undefined => childFinder(node)(called);

const finders = new WeakMap<Node['items'], (called: string) => Child | undefined>();

/** Returns a lookup by name first, then by target; the first match wins. */
function childFinder(node: Node): (called: string) => Child | undefined {
  const known = finders.get(node.items);
  if (known) return known;
  const children = getChildren(node).toReversed();
  const byName = new Map(children.map((child) => [child.name, child]));
  const byTarget = new Map(children.map((child) => [child.target, child]));
  const find = (called: string): Child | undefined => byName.get(called) ?? byTarget.get(called);
  finders.set(node.items, find);
  return find;
}
