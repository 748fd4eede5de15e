import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import styles from './diagnostics.module.css';

/** Severity of a diagnostic; `info` is a note that needs no action. */
type Severity = 'error' | 'warning' | 'info';

interface SeverityMarkProps {
  readonly severity: Severity;
  readonly size?: number;
  /** The text next to the icon already names the severity. */
  readonly isDecorative?: boolean;
}

const severityStyles = {
  error: { icon: CircleAlert, word: 'Error' },
  warning: { icon: TriangleAlert, word: 'Warning' },
  info: { icon: Info, word: 'Info' },
} as const;

/** The icon of a severity, each with its own shape, and an accessible name. */
export function SeverityMark({ severity, size = 14, isDecorative = false }: SeverityMarkProps) {
  const { icon: Icon, word } = severityStyles[severity];
  return (
    <Icon
      size={size}
      className={styles.mark}
      data-severity={severity}
      {...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
    />
  );
}
