import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { Preferences } from '../../base/preferences.ts';
import { Checkbox } from '../choices.tsx';
import styles from './list.module.css';
import table from './list.module.css';
import type { VirtualTableProps, Column, TableActions } from './virtual-table.tsx';
import { RowCheckbox } from './row-controls.tsx';

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
  /** For a tree of sections: the level, from 0. */
  readonly depth?: number;
  /** For a tree of sections: also the rows of inner sections, which are counted and selected with it. */
  readonly all?: readonly Row[];
}

/** A row of a table below its header. */
export type TableEntry<Row> =
  | { readonly kind: 'row'; readonly id: string; readonly key: string; readonly row: Row }
  | { readonly kind: 'section'; readonly id: string; readonly section: TableSection<Row> };

/** Lists the rows of a table, or each section with its rows unless it is collapsed. */
export function listEntries<Row>(
  rows: readonly Row[],
  sections: readonly TableSection<Row>[] | undefined,
  getKey: (row: Row) => string,
): readonly TableEntry<Row>[] {
  if (!sections) return rows.map((row) => ({ kind: 'row', id: getKey(row), key: getKey(row), row }));
  return sections.flatMap((section) => [
    { kind: 'section' as const, id: `section ${section.id}`, section },
    // A row may be in several sections.
    ...(section.isFolded
      ? []
      : section.rows.map((row) => ({
          kind: 'row' as const,
          id: `${section.id} ${getKey(row)}`,
          key: getKey(row),
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
export function getHeight(
  kind: TableEntry<unknown>['kind'],
  isRoomy: boolean,
  density: Preferences['density'],
): number {
  const { row, roomy } = heights[density];
  return isRoomy && kind === 'row' ? roomy : row;
}

interface SortHeaderProps {
  readonly label: string;
  readonly sorted: false | 'asc' | 'desc';
  readonly onSort: () => void;
  /** CSS width. */
  readonly width?: string;
}

/** A column header that sorts the table. */
export function SortHeader({ label, sorted, onSort, width }: SortHeaderProps) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  return (
    <th scope="col" aria-sort={order} style={{ width }}>
      <button type="button" className={styles.sortButton} onClick={onSort}>
        {label}
        {sorted === 'asc' && <ArrowUp size={12} aria-hidden="true" />}
        {sorted === 'desc' && <ArrowDown size={12} aria-hidden="true" />}
      </button>
    </th>
  );
}

/** The column headers, with the checkbox for all rows. */
export function TableHead<Row>({
  rows,
  columns,
  selection,
}: Pick<VirtualTableProps<Row>, 'rows' | 'columns' | 'selection'>) {
  const chosen = selection?.keys.size ?? 0;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={table.choice}>
            <Checkbox
              label="Select all"
              isLabelHidden
              isSelected={chosen > 0 && chosen === rows.length}
              isIndeterminate={chosen > 0 && chosen < rows.length}
              onChange={(isSelected) => selection.setAllSelected(isSelected)}
            />
          </th>
        )}
        {columns.map(({ id, header, width, isNumber = false, sort }) =>
          sort ? (
            <SortHeader key={id} {...sort} {...(width !== undefined && { width })} />
          ) : (
            <th key={id} scope="col" style={{ width }} className={isNumber ? table.number : undefined}>
              {header}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  /** Subject of the row, for its checkbox. */
  readonly name: string;
  /** 0-based index among the rows of the table. */
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly isActive: boolean;
  /** Absent in a table without a selection. */
  readonly isSelected: boolean | undefined;
  readonly isOpenable: boolean;
  readonly actions: TableActions;
  /** Display preferences, which cells use for times. */
  readonly preferences: Preferences;
}

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, name, index, columns, isActive, isSelected, isOpenable, actions } = props;
  return (
    <tr
      data-index={index}
      data-active={isActive || undefined}
      className={isOpenable ? table.row : undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
    >
      {isSelected !== undefined && (
        <td>
          <RowCheckbox
            label={`Select ${name}`}
            isSelected={isSelected}
            onChange={() => actions.toggle(rowKey)}
          />
        </td>
      )}
      {columns.map(({ id, isNumber = false, cell }) => (
        <td key={id} className={isNumber ? table.number : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A row; rerenders only when it or its actions change. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

interface TableSectionRowProps<Row> {
  readonly section: TableSection<Row>;
  readonly index: number;
  /** Number of columns other than the checkboxes. */
  readonly width: number;
  readonly isActive: boolean;
  /** Number of its selected rows; absent in a table without a selection. */
  readonly selected: number | undefined;
  readonly actions: TableActions;
}

/** The header row of a section, which collapses it. */
export function TableSectionRow<Row>({
  section,
  index,
  width,
  isActive,
  selected,
  actions,
}: TableSectionRowProps<Row>) {
  const { id, name, summary, rows, all = rows, isFolded, depth = 0 } = section;
  return (
    <tr
      data-index={index}
      data-active={isActive || undefined}
      data-section
      className={`${table.row} ${table.section}`}
      aria-rowindex={index + 2}
    >
      {selected !== undefined && (
        <td>
          <RowCheckbox
            label={`Select all of ${name}`}
            isSelected={selected > 0 && selected === all.length}
            isIndeterminate={selected > 0 && selected < all.length}
            onChange={() => actions.selectSection(index)}
          />
        </td>
      )}
      <td colSpan={width}>
        <div className={table.sectionHead} style={{ paddingInlineStart: depth * 20 }}>
          <button
            type="button"
            className={table.fold}
            aria-expanded={!isFolded}
            onClick={() => actions.setFolded(id, !isFolded)}
          >
            <ChevronRight size={14} aria-hidden="true" />
            <bdi>{name}</bdi>
            <span className={table.sectionCount}>{all.length}</span>
          </button>
          {summary}
        </div>
      </td>
    </tr>
  );
}
