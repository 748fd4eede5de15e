import { SeverityMark } from '../../../ui/diagnostics/severity-mark.tsx';
import styles from '../inspector.module.css';

interface FieldIssueProps {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Messages about a field or entry; renders nothing if there are none. */
export function FieldIssues({ found, id, label }: FieldIssuesProps) {
  if (found.length === 0) return null;
  return (
    <ul id={id} className={styles.faults} aria-label={label}>
      {found.map(({ severity, message }) => (
        <FieldIssue key={message} severity={severity} message={message} />
      ))}
    </ul>
  );
}

interface FieldIssuesProps {
  readonly found: readonly FieldIssueProps[];
  readonly id?: string;
  readonly label?: string;
}

function FieldIssue({ severity, message }: FieldIssueProps) {
  return (
    <li data-severity={severity}>
      <SeverityMark severity={severity} />
      <span>{message}</span>
    </li>
  );
}
