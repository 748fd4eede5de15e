import { CircleAlert, TriangleAlert } from 'lucide-react';
import styles from '../inspector.module.css';

interface FaultProps {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** What is wrong with a field or an entry; nothing when nothing is. */
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
  const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
  return (
    <li data-severity={severity}>
      <Icon size={14} aria-label={severity === 'error' ? 'Error' : 'Warning'} />
      <span>{message}</span>
    </li>
  );
}
