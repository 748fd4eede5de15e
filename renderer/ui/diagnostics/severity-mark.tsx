import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import styles from './diagnostics.module.css';

/** How grave a finding is; a note says what is to be known and right. */
type Severity = 'error' | 'warning' | 'info';

interface SeverityMarkProps {
  readonly severity: Severity;
  readonly size?: number;
  /** Whoever shows the mark says the same in words. */
  readonly isDecorative?: boolean;
}

const looks = {
  error: { icon: CircleAlert, word: 'Error' },
  warning: { icon: TriangleAlert, word: 'Warning' },
  info: { icon: Info, word: 'Info' },
} as const;

/** The mark of an error, a warning or a note: a shape of its own for each, and its word for those who do not see it. */
export function SeverityMark({ severity, size = 14, isDecorative = false }: SeverityMarkProps) {
  const { icon: Icon, word } = looks[severity];
  return (
    <Icon
      size={size}
      className={styles.mark}
      data-severity={severity}
      {...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
    />
  );
}
