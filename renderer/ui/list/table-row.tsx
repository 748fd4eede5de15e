import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { Preferences } from '../../app/preferences.ts';
import table from './table.module.css';
import styles from './list.module.css';
import { RowCheckbox } from './row-controls.tsx';
import type { TableSection } from './table-entries.ts';
import type { Column, TableActions } from './virtual-table.tsx';

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
  const { id, name, summary, rows, isFolded } = section;
  return (
    <tr
      data-index={index}
      data-active={isActive || undefined}
      data-section
      className={`${table.row} ${styles.section}`}
      aria-rowindex={index + 2}
    >
      {selected !== undefined && (
        <td>
          <RowCheckbox
            label={`Select all of ${name}`}
            isSelected={selected > 0 && selected === rows.length}
            isIndeterminate={selected > 0 && selected < rows.length}
            onChange={() => actions.selectSection(index)}
          />
        </td>
      )}
      <td colSpan={width}>
        <div className={styles.sectionHead}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={!isFolded}
            onClick={() => actions.setFolded(id, !isFolded)}
          >
            <ChevronRight size={14} aria-hidden="true" />
            <bdi>{name}</bdi>
            <span className={styles.sectionCount}>{rows.length}</span>
          </button>
          {summary}
        </div>
      </td>
    </tr>
  );
}
