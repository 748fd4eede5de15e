import { X } from 'lucide-react';
import { IconButton } from '../../controls/icon-button.tsx';
import styles from '../list.module.css';

interface BulkBarProps {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: React.ReactNode;
}

/** Actions on the selected items. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Selection">
      <span className={styles.bulkCount} role="status">
        {count} selected
      </span>
      {children}
      <span className={styles.space} />
      <IconButton label="Clear selection" icon={X} onPress={onClear} />
    </div>
  );
}
