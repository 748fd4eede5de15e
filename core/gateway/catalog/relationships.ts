import type { QualifiedName, Relation, Relationship } from './catalog.ts';
import { getKey } from './stored-catalog.ts';
import { type ExposedRelations, columnPaths, type ForeignKeyRow, type KeyRow } from './relations.ts';

/**
 * Builds the relationships of foreign keys in both directions, including views that show their columns, and the
 * relationships of junctions.
 */
export function makeRelationships(
  foreignKeys: readonly ForeignKeyRow[],
  keys: readonly KeyRow[],
  faces: ExposedRelations,
): Relationship[] {
  const constraints = Map.groupBy(
    keys.filter(({ isConstraint }) => isConstraint),
    ({ relation }) => relation,
  );
  return foreignKeys.flatMap((foreignKey) => {
    const unique = constraints.get(foreignKey.from) ?? [];
    const isUnique = unique.some(({ columns }) => isSameSet(columns, foreignKey.columns));
    return getOwners(foreignKey, faces, isUnique).flatMap((owned) => [owned, reverse(owned)]);
  });
}

function getOwners(foreignKey: ForeignKeyRow, faces: ExposedRelations, isUnique: boolean): Relationship[] {
  const nearRelations = faces.get(foreignKey.from) ?? [];
  const farRelations = faces.get(foreignKey.to) ?? [];
  return nearRelations.flatMap((near) =>
    columnPaths(near, foreignKey.columns).flatMap((from) =>
      farRelations.flatMap((far) =>
        columnPaths(far, foreignKey.targets).map((to): Relationship => ({
          from: near.relation,
          to: far.relation,
          cardinality: isUnique ? 'one-to-one' : 'many-to-one',
          constraint: foreignKey.name,
          columns: from.map((name, index) => ({ from: name, to: to[index]! })),
          isOwned: true,
        })),
      ),
    ),
  );
}

const reverse = (owned: Relationship): Relationship => ({
  from: owned.to,
  to: owned.from,
  cardinality: owned.cardinality === 'one-to-one' ? 'one-to-one' : 'one-to-many',
  constraint: owned.constraint,
  columns: owned.columns.map(({ from, to }) => ({ from: to, to: from })),
  isOwned: false,
});

const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/**
 * Builds many-to-many relationships from relations with two foreign keys within the primary key. An exposed view of a
 * junction table is marked, because it would make every embedding ambiguous.
 */
export function makeJunctions(
  owned: readonly Relationship[],
  relations: readonly Relation[],
): Relationship[] {
  const byName = new Map(relations.map((relation) => [getKey(relation), relation]));
  const found = new Map<string, Relationship>();
  const throughViews = new Map<string, Relationship>();
  const byJunction = [...Map.groupBy(owned, ({ from }) => getKey(from))].map(
    ([name, ends]) => [byName.get(name)!, ends] as const,
  );
  // Tables first.
  byJunction.sort(([a], [b]) => Number(isView(a)) - Number(isView(b)));
  for (const [junction, all] of byJunction) {
    const ends = all.filter(
      ({ cardinality, columns }) =>
        cardinality === 'many-to-one' && columns.every(({ from }) => junction.primaryKey.includes(from)),
    );
    for (const near of ends)
      for (const far of ends) {
        if (near.constraint === far.constraint) continue;
        const key = [near.to, far.to].map(getKey).concat(near.constraint, far.constraint).join('\0');
        const known = found.get(key);
        if (known === undefined || !isView(junction)) found.set(key, joinBy(junction, near, far));
        else if (getKey(known.junction!.relation) !== getKey(junction))
          throughViews.set(`${key}\0${getKey(junction)}`, joinBy(junction, near, far, true));
      }
  }
  return [...found.values(), ...throughViews.values()];
}

const isView = ({ kind }: Relation): boolean => kind.endsWith('view');

const joinBy = (
  { schema, name }: QualifiedName,
  near: Relationship,
  far: Relationship,
  isMarked = false,
): Relationship => ({
  from: near.to,
  to: far.to,
  cardinality: 'many-to-many',
  constraint: near.constraint,
  columns: [],
  junction: {
    relation: { schema, name },
    ...(isMarked && { isView: true as const }),
    constraint: far.constraint,
    near: near.columns.map(({ from, to }) => ({ from: to, to: from })),
    far: far.columns,
  },
  isOwned: false,
});

/** A view column that returns a table column unchanged. */
export interface ViewColumn {
  readonly column: number;
  readonly table: number;
  readonly tableColumn: number;
}

/** Traced columns by view. A view without traced columns has an empty entry. */
export type ViewColumns = ReadonlyMap<number, readonly ViewColumn[]>;

/** The definition of a view as PostgreSQL stores it. */
export interface ViewRow {
  readonly oid: number;
  readonly definition: string;
}

/** All user views, because an exposed view may select from one that is not exposed. */
export const viewRowsSql = `
select c.oid::int8 as "oid", r.ev_action::text as "definition"
from pg_rewrite r join pg_class c on c.oid = r.ev_class
where r.rulename = '_RETURN' and c.relkind in ('v', 'm')
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/** Traces view columns through nested views to tables. */
export function traceViewColumns(rows: readonly ViewRow[]): ViewColumns {
  const direct = new Map(rows.map(({ oid, definition }) => [oid, readTargets(definition)]));
  const follow = (origin: ViewColumn): ViewColumn | undefined => {
    let at: ViewColumn | undefined = origin;
    // CREATE OR REPLACE VIEW can create views that refer to themselves, directly or not. These lead to no table.
    for (let views = 0; at !== undefined && views <= direct.size; views += 1) {
      const below = direct.get(at.table);
      if (below === undefined) return { ...at, column: origin.column };
      const { tableColumn }: ViewColumn = at;
      at = below.find(({ column }) => column === tableColumn);
    }
    return undefined;
  };
  return new Map(
    [...direct].map(([oid, targets]) => [oid, targets.map(follow).filter((target) => target !== undefined)]),
  );
}

/**
 * Returns the columns of the outermost target list of a view definition. PostgreSQL prints a tree, `{TARGETENTRY :expr
 * {…} :resno 1 … :resorigtbl 16385 :resorigcol 1 …}`, which contains the origin of each column; computed columns and
 * unions have none. Targets of subqueries are nested deeper.
 */
function readTargets(definition: string): ViewColumn[] {
  const targets: ViewColumn[] = [];
  for (const entry of outermostEntries(definition)) {
    const [column, table, tableColumn] = ['resno', 'resorigtbl', 'resorigcol'].map((field) =>
      lastNumber(entry, field),
    );
    if (column && table && tableColumn) targets.push({ column, table, tableColumn });
  }
  return targets;
}

/** Returns the entries directly below the query: `({QUERY … :targetList ({TARGETENTRY …} …) …})`. */
function outermostEntries(definition: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  // A backslash escapes the next character of a name.
  for (const { 0: token, index } of definition.matchAll(/\\[^]|[{}]/g)) {
    if (token === '{') {
      depth += 1;
      if (depth === 2) start = index;
    } else if (token === '}') {
      if (depth === 2 && definition.startsWith('{TARGETENTRY', start))
        entries.push(definition.slice(start, index));
      depth -= 1;
    }
  }
  return entries;
}

/**
 * Returns the last number of a field. An entry's own fields follow its expression, which may contain subqueries with
 * targets.
 */
function lastNumber(entry: string, field: string): number {
  const start = entry.lastIndexOf(` :${field} `);
  return start === -1 ? 0 : Number.parseInt(entry.slice(start + field.length + 3), 10);
}
