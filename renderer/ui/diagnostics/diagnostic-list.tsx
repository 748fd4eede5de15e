import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import styles from './diagnostics.module.css';
import { SeverityMark } from './severity-mark.tsx';

interface DiagnosticListProps {
  readonly diagnostics: readonly Diagnostic[];
  /** Shows the place of a diagnostic. */
  readonly onGo: (diagnostic: Diagnostic) => void;
  /** Where the list stands in nothing that has a name. */
  readonly label?: string;
}

/** What is wrong in a workflow file, each at its line and column; an entry leads there. */
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
