import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import styles from './state.module.css';

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

interface DiagnosticListProps {
  readonly diagnostics: readonly Diagnostic[];
  /** Goes to the position of a diagnostic. */
  readonly onGo: (diagnostic: Diagnostic) => void;
  /** Label of the list, if it is not in a labeled region. */
  readonly label?: string;
}

/** The diagnostics of a workflow file with line and column; each entry links to its position. */
export function DiagnosticList({ diagnostics, onGo, label }: DiagnosticListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {diagnostics.map((diagnostic) => (
        <li key={`${diagnostic.line}:${diagnostic.column}:${diagnostic.message}`}>
          <button type="button" onClick={() => onGo(diagnostic)}>
            <SeverityMark severity={diagnostic.severity} />
            <span className={styles.place}>
              {diagnostic.line}:{diagnostic.column}
            </span>
            <span className={styles.message}>{diagnostic.message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
