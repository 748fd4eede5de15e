import { Checkbox } from '../controls/checkbox.tsx';
import { SortHeader } from './sort-header.tsx';
import table from './table.module.css';
import styles from './list.module.css';
import type { VirtualTableProps } from './virtual-table.tsx';

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
          <th scope="col" className={styles.choice}>
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
