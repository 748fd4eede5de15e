import type { Preferences } from '../../app/preferences.ts';

/** A collapsible group of rows with a header row. */
export interface TableSection<Row> {
  /** Unique in the table. */
  readonly id: string;
  /** Title of the header row. */
  readonly name: string;
  /** Shown next to the title: item count and status counts. */
  readonly summary?: React.ReactNode;
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
}

/** A row of a table below its header. */
export type TableEntry<Row> =
  | { readonly kind: 'row'; readonly id: string; readonly key: string; readonly row: Row }
  | { readonly kind: 'section'; readonly id: string; readonly section: TableSection<Row> };

/** Lists the rows of a table, or each section with its rows unless it is collapsed. */
export function listEntries<Row>(
  rows: readonly Row[],
  sections: readonly TableSection<Row>[] | undefined,
  keyOf: (row: Row) => string,
): readonly TableEntry<Row>[] {
  if (!sections) return rows.map((row) => ({ kind: 'row', id: keyOf(row), key: keyOf(row), row }));
  return sections.flatMap((section) => [
    { kind: 'section' as const, id: `section ${section.id}`, section },
    // A row may be in several sections.
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

/**
 * Row height with its border in pixels, as in the tokens (`--row-height`), so that rows need not be measured.
 */
const heights: Readonly<Record<Preferences['density'], { readonly row: number; readonly roomy: number }>> = {
  comfortable: { row: 36, roomy: 52 },
  compact: { row: 28, roomy: 40 },
};

/** @param isRoomy whether rows have two lines of text */
export function heightOf(
  kind: TableEntry<unknown>['kind'],
  isRoomy: boolean,
  density: Preferences['density'],
): number {
  const { row, roomy } = heights[density];
  return isRoomy && kind === 'row' ? roomy : row;
}
