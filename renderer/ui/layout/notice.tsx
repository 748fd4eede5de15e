import { CircleAlert, TriangleAlert } from 'lucide-react';
import styles from './layout.module.css';

interface NoticeProps {
  readonly tone: 'error' | 'warning';
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

/** A sentence that matters for the whole page. */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = tone === 'error' ? CircleAlert : TriangleAlert;
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'error' ? 'alert' : 'note'}>
      <Icon size={16} aria-hidden="true" />
      <div className={styles.noticeText}>{children}</div>
      {action}
    </div>
  );
}
