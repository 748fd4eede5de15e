import type { QualifiedName } from '../catalog.ts';
import type { ColumnRow } from './column-rows.ts';
import type { RelationRow } from './relation-rows.ts';
import type { ViewColumns } from './view-columns.ts';

/** An exposed relation in which columns of a table are to be seen: the table itself, or a view that shows them. */
interface Face {
  readonly relation: QualifiedName;
  /** Names that a column of the table has there, by its number. */
  readonly names: ReadonlyMap<number, readonly string[]>;
}

/** Where each table is to be seen, by its number. */
export type Faces = ReadonlyMap<number, readonly Face[]>;

/** Ways to see several columns together that are kept: a view that repeats columns would have a great many. */
const waysAtMost = 16;

export function collectFaces(
  relations: readonly RelationRow[],
  columns: readonly ColumnRow[],
  views: ViewColumns,
): Faces {
  const columnsOf = Map.groupBy(columns, ({ relation }) => relation);
  const faces = new Map<number, Face[]>();
  for (const { oid, schema, name } of relations) {
    const own = columnsOf.get(oid) ?? [];
    const names = new Map(own.map((column) => [column.number, column.name]));
    const shown =
      views.get(oid) ?? own.map(({ number }) => ({ column: number, table: oid, tableColumn: number }));
    for (const [table, origins] of Map.groupBy(shown, (origin) => origin.table)) {
      const byNumber = Map.groupBy(origins, ({ tableColumn }) => tableColumn);
      const face: Face = {
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

/** Each way in which a face shows all of some columns; none when it lacks one. */
export function waysToSee(face: Face, columns: readonly number[]): readonly (readonly string[])[] {
  let ways: (readonly string[])[] = [[]];
  for (const column of columns) {
    const names = face.names.get(column) ?? [];
    ways = ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, waysAtMost);
  }
  return ways;
}
