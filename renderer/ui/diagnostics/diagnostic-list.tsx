import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import styles from './diagnostics.module.css';
import { SeverityMark } from './severity-mark.tsx';

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
