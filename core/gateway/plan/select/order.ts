import { GatewayError } from '../../gateway-error.ts';
import type { Field, OrderTerm } from '../../query/query.ts';
import { join, name, type Sql, sql, trusted } from '../sql.ts';
import { type Scope, storedValue } from './field.ts';
import { type Child, childrenOf, type Node } from './node.ts';
import { refusePath } from './refuse-path.ts';

/**
 * ` ORDER BY …` by stored values, or nothing.
 * @throws GatewayError PGRST108 and PGRST118 for resources that are not embedded, or of which there may be many
 */
export function orderSql(scope: Scope, node: Node): Sql {
  const { order } = node.level;
  if (order.length === 0) return sql``;
  const terms = order.map((term) => {
    const value = term.relation === undefined ? storedValue(scope, term.field) : relatedValue(node, term);
    const nulls = term.nulls === undefined ? '' : term.nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST';
    return sql`${value}${trusted(term.direction === 'asc' ? ' ASC' : ' DESC')}${trusted(nulls)}`;
  });
  return sql` ORDER BY ${join(terms, ', ')}`;
}

/** Fields of an embedded resource that the level above is ordered by. */
export const orderFieldsOf = (parent: Node, child: Child): readonly Field[] =>
  parent.level.order
    .filter((term) => term.relation !== undefined && findChild(parent, term.relation) === child)
    .map(({ field }) => field);

/** How such a field goes by on its way up. */
export const orderName = (index: number): string => `order ${index}`;

function relatedValue(node: Node, { relation = '', field }: OrderTerm): Sql {
  const child = findChild(node, relation);
  if (!child) throw refusePath(relation);
  if (child.isToMany) {
    const of = node.source.relation?.name ?? 'the result';
    throw new GatewayError(400, 'PGRST118', `A related order on '${relation}' is not possible`, {
      details: `'${of}' and '${child.relation.name}' do not form a many-to-one or one-to-one relationship`,
    });
  }
  return name(child.alias, orderName(orderFieldsOf(node, child).indexOf(field)));
}

export function findChild(node: Node, called: string): Child | undefined {
  const children = childrenOf(node);
  return children.find((child) => child.name === called) ?? children.find(({ target }) => target === called);
}
