import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './table.module.css';

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
