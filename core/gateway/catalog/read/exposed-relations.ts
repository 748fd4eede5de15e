import type { QualifiedName } from '../catalog.ts';
import type { ColumnRow } from './column-rows.ts';
import type { RelationRow } from './relation-rows.ts';
import type { ViewColumns } from './view-columns.ts';

/** An exposed relation that shows columns of a table: the table itself or a view. */
interface ExposedRelation {
  readonly relation: QualifiedName;
  /** Names of each table column in this relation, by column number. */
  readonly names: ReadonlyMap<number, readonly string[]>;
}

/** Exposed relations that show a table, by table number. */
export type ExposedRelations = ReadonlyMap<number, readonly ExposedRelation[]>;

/** Maximum number of column combinations per view. A view that repeats columns could have very many. */
const waysAtMost = 16;

export function collectExposedRelations(
  relations: readonly RelationRow[],
  columns: readonly ColumnRow[],
  views: ViewColumns,
): ExposedRelations {
  const columnsOf = Map.groupBy(columns, ({ relation }) => relation);
  const faces = new Map<number, ExposedRelation[]>();
  for (const { oid, schema, name } of relations) {
    const ownColumns = columnsOf.get(oid) ?? [];
    const names = new Map(ownColumns.map((column) => [column.number, column.name]));
    const shown =
      views.get(oid) ?? ownColumns.map(({ number }) => ({ column: number, table: oid, tableColumn: number }));
    for (const [table, origins] of Map.groupBy(shown, (origin) => origin.table)) {
      const byNumber = Map.groupBy(origins, ({ tableColumn }) => tableColumn);
      const face: ExposedRelation = {
        relation: { schema, name },
        names: new Map(
          [...byNumber].map(([number, all]) => [number, all.map(({ column }) => names.get(column)!)]),
        ),
      };
      const known = faces.get(table);
      if (known === undefined) faces.set(table, [face]);
      else known.push(face);
    }
  }
  return faces;
}

/** Returns each combination of names under which a relation shows all of the columns; empty if one is missing. */
export function columnPaths(
  face: ExposedRelation,
  columns: readonly number[],
): readonly (readonly string[])[] {
  let ways: (readonly string[])[] = [[]];
  for (const column of columns) {
    const names = face.names.get(column) ?? [];
    ways = ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, waysAtMost);
  }
  return ways;
}
