import { GatewayError } from '../../gateway-error.ts';
import type { Field, OrderTerm } from '../../query/query.ts';
import { join, name, type Sql, sql, catalogSql } from '../sql.ts';
import { type Scope, storedValue } from './field.ts';
import { type Child, childrenOf, type Node } from './node.ts';
import { unknownEmbedError } from './unknown-embed-error.ts';

/** Returns the group value of an embedded resource's column, if rows are grouped. */
export type FindGroupValue = (child: Child, column: string) => Sql | undefined;

/**
 * Returns ` ORDER BY …` by stored values, or nothing.
 * @param findGroupValue absent if rows are not grouped
 * @throws GatewayError PGRST108 and PGRST118 for resources that are not embedded or not to-one
 */
export function orderSql(scope: Scope, node: Node, findGroupValue?: FindGroupValue): Sql {
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
export const orderFieldsOf = (parent: Node, child: Child): readonly Field[] =>
  orderTermsOf(parent, child).map(({ field }) => resolveAlias(child, field));

interface RelatedOrders {
  /** Source of the cached entry: a level is planned with its order and without. */
  readonly order: readonly OrderTerm[];
  readonly ofChild: ReadonlyMap<Child | undefined, readonly OrderTerm[]>;
  /** Index of each term among those of its child. */
  readonly positions: ReadonlyMap<OrderTerm, number>;
}

/** Cached by the items of a level, so that many terms are scanned once. */
const relatedOrders = new WeakMap<Node['items'], RelatedOrders>();

function orderTermsOf(parent: Node, child: Child): readonly OrderTerm[] {
  return collectRelated(parent).ofChild.get(child) ?? [];
}

function collectRelated(parent: Node): RelatedOrders {
  const { order } = parent.level;
  const known = relatedOrders.get(parent.items);
  if (known?.order === order) return known;
  const find = childFinder(parent);
  const related = order.filter((term) => term.relation !== undefined);
  const ofChild = Map.groupBy(related, ({ relation = '' }) => find(relation));
  const positions = new Map(
    [...ofChild.values()].flatMap((terms) => terms.map((term, position) => [term, position] as const)),
  );
  const made = { order, ofChild, positions };
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
export const orderName = (index: number): string => `order ${index}`;

function relatedValue(node: Node, term: OrderTerm, findGroupValue?: FindGroupValue): Sql {
  const { relation = '', field } = term;
  const child = findChild(node, relation);
  if (!child) throw unknownEmbedError(relation);
  if (child.isToMany) {
    const of = node.source.relation?.name ?? 'the result';
    throw new GatewayError(400, 'PGRST118', `A related order on '${relation}' is not possible`, {
      details: `'${of}' and '${child.relation.name}' do not form a many-to-one or one-to-one relationship`,
    });
  }
  if (!findGroupValue) return name(child.alias, orderName(collectRelated(node).positions.get(term) ?? 0));
  const grouped = field.json.length === 0 ? findGroupValue(child, field.column) : undefined;
  if (grouped) return grouped;
  throw new GatewayError(
    400,
    '42803',
    `column "${child.name}.${field.column}" must appear in the GROUP BY clause or be used in an aggregate function`,
    { hint: `Select it as well: ...${child.name}(${field.column}).` },
  );
}

export const findChild = (node: Node, called: string): Child | undefined => childFinder(node)(called);

const finders = new WeakMap<Node['items'], (called: string) => Child | undefined>();

/** Returns a lookup by name first, then by target; the first match wins. */
function childFinder(node: Node): (called: string) => Child | undefined {
  const known = finders.get(node.items);
  if (known) return known;
  const children = childrenOf(node).toReversed();
  const byName = new Map(children.map((child) => [child.name, child]));
  const byTarget = new Map(children.map((child) => [child.target, child]));
  const find = (called: string): Child | undefined => byName.get(called) ?? byTarget.get(called);
  finders.set(node.items, find);
  return find;
}
