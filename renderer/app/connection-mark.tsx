import { useConnection, type Connection } from '../api/connection.ts';
import styles from './shell.module.css';

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  online: 'Connected',
  reconnecting: 'Reconnecting',
};

/** Whether what is on the screen is current: a full dot, or a hollow one while there is no connection. */
export function ConnectionMark() {
  const state = useConnection((connection) => connection.state);
  return (
    <span className={styles.connection} role="status" data-state={state}>
      <i aria-hidden="true" />
      {words[state]}
    </span>
  );
}
