import type { Catalog, Relation, Relationship } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { Level, SelectItem } from '../../query/query.ts';
import type { Aliases } from '../select/aliases.ts';
import type { Child, Node } from '../select/node.ts';
import { unknownEmbedError } from '../select/unknown-embed-error.ts';
import { directSource, type Source } from '../select/source.ts';
import { name, type Sql, sql, catalogSql } from '../sql.ts';
import { findRelationship } from './find-relationship.ts';

/** Data shared by all levels. */
export interface TreeContext {
  readonly catalog: Catalog;
  readonly aliases: Aliases;
  /** Maximum rows per level; absent for rows that a write returns. */
  readonly maxRows?: number | undefined;
}

/** One level without its embedded resources. */
export interface JoinContext {
  readonly source: Source;
  readonly from: Sql;
  readonly joins: readonly Sql[];
}

const noLevel: Level = { path: [], conditions: [], order: [] };

/**
 * Resolves the relationship of each embedded resource, and assigns filters, orders and limits to its level.
 * @param levels all lower levels; their paths are relative to this level
 * @throws GatewayError PGRST108 for an unknown path, PGRST200 and PGRST201 for relationships
 */
export function buildTree(
  context: TreeContext,
  ground: JoinContext,
  items: readonly SelectItem[],
  [level, levels]: readonly [Level, readonly Level[]],
): Node {
  const below = groupLevels(items, levels);
  return {
    ...ground,
    level,
    maxRows: context.maxRows,
    items: items.map((item) =>
      item.kind === 'embed' ? buildChild(context, ground.source, item, below.get(item) ?? []) : item,
    ),
  };
}

type EmbedItem = Extract<SelectItem, { kind: 'embed' }>;

function buildChild(context: TreeContext, parent: Source, item: EmbedItem, levels: readonly Level[]): Child {
  const { relation, relationship } = findTarget(context.catalog, parent, item);
  const source = directSource(context.aliases.next(relation.name), relation);
  const rootLevel = levels.find(({ path }) => path.length === 0) ?? noLevel;
  const rest = levels.filter(({ path }) => path.length > 0);
  const isToMany = relationship.cardinality === 'one-to-many' || relationship.cardinality === 'many-to-many';
  return {
    kind: 'child',
    name: item.alias ?? item.target,
    target: item.target,
    alias: context.aliases.next('embed'),
    isToMany,
    isInner: item.isInner,
    isSpread: item.isSpread,
    relation,
    node: buildTree(context, joinContextOf(context, parent, source, relationship), item.items, [
      rootLevel,
      rest,
    ]),
  };
}

function findTarget(
  catalog: Catalog,
  parent: Source,
  { target, hint }: EmbedItem,
): { relation: Relation; relationship: Relationship } {
  if (!parent.relation) {
    throw new GatewayError(
      400,
      'PGRST200',
      `Could not find a relationship between the result of the function and '${target}' in the schema cache`,
      { hint: 'Only functions that return rows of an exposed table or view have relationships.' },
    );
  }
  const relationship = findRelationship(catalog, parent.relation, { target, hint });
  const { schema, name: to } = relationship.to;
  const relation = catalog.findRelation(schema, to);
  if (!relation) throw new GatewayError(400, 'PGRST200', `'${to}' is not exposed`);
  return { relation, relationship };
}

function joinContextOf(
  context: TreeContext,
  parent: Source,
  source: Source,
  { to, columns, junction, computedBy }: Relationship,
): JoinContext {
  if (computedBy !== undefined) {
    const call = sql`${catalogSql(computedBy)}(${parent.wholeRow()})`;
    return { source, from: sql`${call} AS ${name(source.alias)}`, joins: [] };
  }
  const table = sql`${name(to.schema, to.name)} AS ${name(source.alias)}`;
  if (!junction) {
    const joins = columns.map((pair) => sql`${source.column(pair.to)} = ${parent.column(pair.from)}`);
    return { source, from: table, joins };
  }
  const alias = context.aliases.next(junction.relation.name);
  const between = sql`${name(junction.relation.schema, junction.relation.name)} AS ${name(alias)}`;
  const near = junction.near.map((pair) => sql`${name(alias, pair.to)} = ${parent.column(pair.from)}`);
  const far = junction.far.map((pair) => sql`${source.column(pair.to)} = ${name(alias, pair.from)}`);
  return { source, from: sql`${between} CROSS JOIN ${table}`, joins: [...near, ...far] };
}

/** Groups levels by embedded resource, with paths relative to it. */
function groupLevels(
  items: readonly SelectItem[],
  levels: readonly Level[],
): ReadonlyMap<EmbedItem, readonly Level[]> {
  const embeds = items.filter((item): item is EmbedItem => item.kind === 'embed');
  const shared = new Map<EmbedItem, Level[]>();
  for (const level of levels) {
    const [first = '', ...path] = level.path;
    const embed =
      embeds.find(({ alias, target }) => (alias ?? target) === first) ??
      embeds.find(({ target }) => target === first);
    if (!embed) throw unknownEmbedError(first);
    const known = shared.get(embed) ?? [];
    known.push({ ...level, path });
    shared.set(embed, known);
  }
  return shared;
}
