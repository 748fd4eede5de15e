import type { QualifiedName, Relation, Relationship } from '../catalog.ts';
import { keyOf } from '../stored-catalog.ts';
import { type ExposedRelations, columnPaths } from './exposed-relations.ts';
import type { ForeignKeyRow, KeyRow } from './key-rows.ts';

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
    return ownersOf(foreignKey, faces, isUnique).flatMap((owned) => [owned, reverse(owned)]);
  });
}

function ownersOf(foreignKey: ForeignKeyRow, faces: ExposedRelations, isUnique: boolean): Relationship[] {
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

const isSameSet = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length && left.every((one) => right.includes(one));

/**
 * Builds many-to-many relationships from relations with two foreign keys within the primary key. An exposed view of a
 * junction table is marked, because it would make every embedding ambiguous.
 */
export function makeJunctions(
  owned: readonly Relationship[],
  relations: readonly Relation[],
): Relationship[] {
  const byName = new Map(relations.map((relation) => [keyOf(relation), relation]));
  const found = new Map<string, Relationship>();
  const throughViews = new Map<string, Relationship>();
  const byJunction = [...Map.groupBy(owned, ({ from }) => keyOf(from))].map(
    ([name, ends]) => [byName.get(name)!, ends] as const,
  );
  // Tables first.
  byJunction.sort(([left], [right]) => Number(isView(left)) - Number(isView(right)));
  for (const [junction, all] of byJunction) {
    const ends = all.filter(
      ({ cardinality, columns }) =>
        cardinality === 'many-to-one' && columns.every(({ from }) => junction.primaryKey.includes(from)),
    );
    for (const near of ends)
      for (const far of ends) {
        if (near.constraint === far.constraint) continue;
        const key = [near.to, far.to].map(keyOf).concat(near.constraint, far.constraint).join('\0');
        const known = found.get(key);
        if (known === undefined || !isView(junction)) found.set(key, joinBy(junction, near, far));
        else if (keyOf(known.junction!.relation) !== keyOf(junction))
          throughViews.set(`${key}\0${keyOf(junction)}`, joinBy(junction, near, far, true));
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
