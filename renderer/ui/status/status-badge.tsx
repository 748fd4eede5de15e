import type { StepStatus } from '../../../core/model/run/status.ts';
import { statusToken, statusLabels } from '../../format/status.ts';
import { StatusShape } from './status-shape.tsx';
import styles from './status.module.css';

interface StatusBadgeProps {
  readonly status: StepStatus;
  /** `plain` is for tables, `pill` for headers. */
  readonly variant?: 'plain' | 'pill';
}

/** A status as icon, label and color. */
export function StatusBadge({ status, variant = 'plain' }: StatusBadgeProps) {
  const token = statusToken(status);
  const style = {
    '--badge-text': `var(--status-${token}-text)`,
    '--badge-soft': `var(--status-${token}-soft)`,
  } as React.CSSProperties;
  return (
    <span className={`${styles.badge} ${variant === 'pill' ? styles.pill : ''}`} style={style}>
      <StatusShape status={status} />
      <span>{statusLabels[status]}</span>
    </span>
  );
}
