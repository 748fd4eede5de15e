import { findNearest } from '../../base/text.ts';
import type { Catalog, Relation, Relationship, QualifiedName } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Level, SelectItem } from '../query/query.ts';
import { type Aliases, type Child, type Node, directSource, type Source } from './select-node.ts';
import { unknownEmbedError, identifier, type Sql, sql, catalogSql } from './sql.ts';

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
    node: buildTree(context, getJoinContext(context, parent, source, relationship), item.items, [
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

function getJoinContext(
  context: TreeContext,
  parent: Source,
  source: Source,
  { to, columns, junction, computedBy }: Relationship,
): JoinContext {
  if (computedBy !== undefined) {
    const call = sql`${catalogSql(computedBy)}(${parent.wholeRow()})`;
    return { source, from: sql`${call} AS ${identifier(source.alias)}`, joins: [] };
  }
  const table = sql`${identifier(to.schema, to.name)} AS ${identifier(source.alias)}`;
  if (!junction) {
    const joins = columns.map((pair) => sql`${source.column(pair.to)} = ${parent.column(pair.from)}`);
    return { source, from: table, joins };
  }
  const alias = context.aliases.next(junction.relation.name);
  const between = sql`${identifier(junction.relation.schema, junction.relation.name)} AS ${identifier(alias)}`;
  const near = junction.near.map((pair) => sql`${identifier(alias, pair.to)} = ${parent.column(pair.from)}`);
  const far = junction.far.map((pair) => sql`${source.column(pair.to)} = ${identifier(alias, pair.from)}`);
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

/** An embedded resource as written in `select=`. */
export interface EmbedTarget {
  /** A relation, a constraint, a foreign key column, or a computed relationship. */
  readonly target: string;
  readonly hint?: string | undefined;
}

/**
 * Returns the only matching relationship from a relation.
 * @throws GatewayError PGRST200 if there is none, PGRST201 if there are several
 */
function findRelationship(catalog: Catalog, from: QualifiedName, embedTarget: EmbedTarget): Relationship {
  const all = catalog.relationshipsFrom(from);
  const computed = all.find(
    ({ computedBy, constraint }) => computedBy !== undefined && constraint === embedTarget.target,
  );
  if (computed && embedTarget.hint === undefined) return computed;
  const possible = all.filter(({ computedBy }) => computedBy === undefined);
  const strict = possible.filter((one) => matchesTarget(one, embedTarget, (to) => isTable(catalog, to)));
  // If only views are exposed, a foreign key name refers to the views of its table.
  const found =
    strict.length > 0 ? strict : possible.filter((one) => matchesTarget(one, embedTarget, () => true));
  const [first] = found;
  if (!first) throw unknownRelationshipError(from, embedTarget, all);
  if (found.length === 1) return first;
  // A foreign key name refers to the table, not to views of it.
  const toTables = found.filter(({ to }) => isTable(catalog, to));
  if (toTables.length === 1 && found.every(({ to }) => to.name !== embedTarget.target)) return toTables[0]!;
  // A self-referencing foreign key works in both directions. Its constraint and column mean the direction of the
  // reference; the relation name means the opposite.
  const oneWay = found.filter(({ isOwned }) => isOwned !== (first.to.name === embedTarget.target));
  const isOneKey = found.every(({ constraint, junction }) => !junction && constraint === first.constraint);
  if (isOneKey && isSame(from, first.to) && oneWay.length === 1) return oneWay[0]!;
  throw ambiguousRelationshipError(from, embedTarget, found);
}

/** @param mayBeNamedByKey whether a constraint or column may identify the relation; views must be named */
function matchesTarget(
  relationship: Relationship,
  { target, hint }: EmbedTarget,
  mayBeNamedByKey: (to: QualifiedName) => boolean,
): boolean {
  const { from, to, constraint, junction, isOwned } = relationship;
  if (hint !== undefined) return to.name === target && matchesHint(relationship, hint);
  if (to.name === target) return junction?.isView !== true;
  if (junction) return false;
  const isSelf = isSame(from, to);
  if (!isSelf && !mayBeNamedByKey(to)) return false;
  // In a self-reference, constraint and column mean the direction of the foreign key.
  if (isSelf && !isOwned) return false;
  return constraint === target || onlyColumns(relationship)?.from === target;
}

function matchesHint(relationship: Relationship, hint: string): boolean {
  const { constraint, junction } = relationship;
  const isSelf = isSame(relationship.from, relationship.to);
  if (junction) {
    // The constraints of a junction identify the junction table; a view of it must be named.
    if (junction.isView) return junction.relation.name === hint;
    // A junction of a relation with itself works in both directions. The constraint to the target distinguishes them.
    const isNear = !isSelf && constraint === hint;
    return isNear || junction.relation.name === hint || junction.constraint === hint;
  }
  if (constraint === hint) return true;
  const columns = onlyColumns(relationship);
  if (!columns) return false;
  return columns.to === hint || (!isSelf && columns.from === hint);
}

const onlyColumns = ({ columns }: Relationship): { from: string; to: string } | undefined =>
  columns.length === 1 ? columns[0] : undefined;

const isTable = (catalog: Catalog, { schema, name }: QualifiedName): boolean =>
  !catalog.findRelation(schema, name)?.kind.endsWith('view');

const isSame = (a: QualifiedName, b: QualifiedName): boolean => a.schema === b.schema && a.name === b.name;

function unknownRelationshipError(
  from: QualifiedName,
  { target, hint }: EmbedTarget,
  all: readonly Relationship[],
): GatewayError {
  const nearest = findNearest(
    target,
    [...new Set(all.map(({ to }) => to.name))].filter((name) => name !== target),
  );
  const using = hint === undefined ? '' : ` using the hint '${hint}'`;
  return new GatewayError(
    400,
    'PGRST200',
    `Could not find a relationship between '${from.name}' and '${target}' in the schema cache`,
    {
      details:
        `Searched for a foreign key relationship between '${from.name}' and '${target}'${using} ` +
        `in the schema '${from.schema}', but no matches were found.`,
      hint: nearest === undefined ? null : `Perhaps you meant '${nearest}' instead of '${target}'.`,
    },
  );
}

function ambiguousRelationshipError(
  from: QualifiedName,
  { target }: EmbedTarget,
  found: readonly Relationship[],
): GatewayError {
  const proposals = found.map((one) => `'${one.to.name}!${getHint(one)}'`);
  return new GatewayError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${from.name}' and '${target}'`,
    {
      details: found.map((one) => ({
        cardinality: one.cardinality,
        embedding: `${from.name} with ${one.to.name}`,
        relationship: formatRelationship(one),
      })),
      hint:
        `Try changing '${target}' to one of the following: ${[...new Set(proposals)].join(', ')}. ` +
        "Find the desired relationship in the 'details' key.",
    },
  );
}

const getHint = ({ from, to, constraint, junction }: Relationship): string =>
  junction ? (isSame(from, to) ? junction.constraint : junction.relation.name) : constraint;

function formatRelationship({ from, to, constraint, columns, junction }: Relationship): string {
  const list = (names: readonly string[]): string => `(${names.join(', ')})`;
  if (!junction) {
    const [near, far] = [columns.map((pair) => pair.from), columns.map((pair) => pair.to)];
    return `${constraint} using ${from.name}${list(near)} and ${to.name}${list(far)}`;
  }
  const near = `${constraint}${list(junction.near.map((pair) => pair.to))}`;
  const far = `${junction.constraint}${list(junction.far.map((pair) => pair.from))}`;
  return `${junction.relation.name} using ${near} and ${far}`;
}
