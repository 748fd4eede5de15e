import { useConnection, type Connection } from '../api/connection.ts';
import styles from './shell.module.css';

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  online: 'Connected',
  reconnecting: 'Reconnecting',
};

/** Whether the page is up to date: a filled dot, or an outlined one without a connection. */
export function ConnectionStatus() {
  const state = useConnection((connection) => connection.state);
  return (
    <span className={styles.connection} role="status" data-state={state}>
      <i aria-hidden="true" />
      {words[state]}
    </span>
  );
}
