import type { LucideIcon } from 'lucide-react';
import styles from './state.module.css';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: React.ReactNode;
}

/** Empty state: what the view shows, and an action. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-empty>
      <span className={styles.emptyMark}>
        <Icon size={24} strokeWidth={1.5} aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <div className={styles.emptyText}>{children}</div>}
    </div>
  );
}
