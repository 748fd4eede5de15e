import { memo } from 'react';
import styles from '../canvas.module.css';

/** The box behind steps that run at the same time. */
export const ParallelGroup = memo(function ParallelGroup() {
  return (
    <div className={styles.group}>
      <span>Side by side</span>
    </div>
  );
});
