import type { Preferences } from '../../app/preferences.ts';

/** Rows that belong together, under a line of their own that folds them. */
export interface TableSection<Row> {
  /** Tells it from every other section of the table. */
  readonly id: string;
  /** What its line is called. */
  readonly name: string;
  /** Beside the name: how many there are and how they are doing. */
  readonly summary?: React.ReactNode;
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
}

/** One line of a table below its head. */
export type TableEntry<Row> =
  | { readonly kind: 'row'; readonly id: string; readonly key: string; readonly row: Row }
  | { readonly kind: 'section'; readonly id: string; readonly section: TableSection<Row> };

/** The lines of a table: its rows, or sections each with those of its rows that are not folded away. */
export function listEntries<Row>(
  rows: readonly Row[],
  sections: readonly TableSection<Row>[] | undefined,
  keyOf: (row: Row) => string,
): readonly TableEntry<Row>[] {
  if (!sections) return rows.map((row) => ({ kind: 'row', id: keyOf(row), key: keyOf(row), row }));
  return sections.flatMap((section) => [
    { kind: 'section' as const, id: `section ${section.id}`, section },
    // A row may stand in several sections.
    ...(section.isFolded
      ? []
      : section.rows.map((row) => ({
          kind: 'row' as const,
          id: `${section.id} ${keyOf(row)}`,
          key: keyOf(row),
          row,
        }))),
  ]);
}

/** Pixels of a line with its rule, as the tokens have them (`--row-height`): no row need be measured. */
const heights: Readonly<Record<Preferences['density'], { readonly row: number; readonly roomy: number }>> = {
  comfortable: { row: 36, roomy: 52 },
  compact: { row: 28, roomy: 40 },
};

/** @param isRoomy two lines of text in a row */
export function heightOf(
  kind: TableEntry<unknown>['kind'],
  isRoomy: boolean,
  density: Preferences['density'],
): number {
  const { row, roomy } = heights[density];
  return isRoomy && kind === 'row' ? roomy : row;
}
