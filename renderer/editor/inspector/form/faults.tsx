import { SeverityMark } from '../../../ui/diagnostics/severity-mark.tsx';
import styles from '../inspector.module.css';

interface FaultProps {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Messages about a field or entry; renders nothing if there are none. */
export function Faults({ found, id, label }: FaultsProps) {
  if (found.length === 0) return null;
  return (
    <ul id={id} className={styles.faults} aria-label={label}>
      {found.map(({ severity, message }) => (
        <Fault key={message} severity={severity} message={message} />
      ))}
    </ul>
  );
}

interface FaultsProps {
  readonly found: readonly FaultProps[];
  readonly id?: string;
  readonly label?: string;
}

function Fault({ severity, message }: FaultProps) {
  return (
    <li data-severity={severity}>
      <SeverityMark severity={severity} />
      <span>{message}</span>
    </li>
  );
}
