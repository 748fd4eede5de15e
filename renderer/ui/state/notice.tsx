import { CircleAlert, Hand, Hourglass, TriangleAlert } from 'lucide-react';
import styles from './state.module.css';

interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'info' | 'asking';
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

/** An `asking` notice appears while the page is open and is announced; the others are read in place. */
const roles = { error: 'alert', warning: 'note', info: 'note', asking: 'status' } as const;
const icons = { error: CircleAlert, warning: TriangleAlert, info: Hourglass, asking: Hand } as const;

/**
 * A message about the whole page; `info` is for normal states that take time, `asking` for states that wait for
 * the user.
 */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = icons[tone];
  const quotes = typeof children === 'string' && !/^\p{L}/u.test(children);
  return (
    <div className={styles.notice} data-tone={tone} role={roles[tone]}>
      <Icon size={16} aria-hidden="true" />
      <div className={styles.noticeText} data-quotes={quotes || undefined}>
        {children}
      </div>
      {action}
    </div>
  );
}
