import { CircleAlert, Hand, Hourglass, TriangleAlert } from 'lucide-react';
import styles from './state.module.css';

interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'info' | 'asking';
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

/** What asks for something comes while one looks at the page, so that it is told; the others are read where they stand. */
const roles = { error: 'alert', warning: 'note', info: 'note', asking: 'status' } as const;
const icons = { error: CircleAlert, warning: TriangleAlert, info: Hourglass, asking: Hand } as const;

/**
 * A sentence that matters for the whole page; `info` is for what is in order and takes its time, `asking` for what waits
 * until somebody does something here.
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
