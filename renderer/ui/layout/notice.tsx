import { CircleAlert, Hourglass, TriangleAlert } from 'lucide-react';
import styles from './layout.module.css';

interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'info';
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

const icons = { error: CircleAlert, warning: TriangleAlert, info: Hourglass } as const;

/** A sentence that matters for the whole page; `info` is for what is in order and takes its time. */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = icons[tone];
  const quotes = typeof children === 'string' && !/^\p{L}/u.test(children);
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'error' ? 'alert' : 'note'}>
      <Icon size={16} aria-hidden="true" />
      <div className={styles.noticeText} data-quotes={quotes || undefined}>
        {children}
      </div>
      {action}
    </div>
  );
}
