import { Unplug } from 'lucide-react';
import { useConnection } from '../../api/connection.ts';
import styles from './status.module.css';
import { useMissedRunsToast } from './missed.ts';

/**
 * Banner over the bottom of the page while the engine is unreachable; it moves nothing and covers neither
 * titles nor actions.
 */
export function OfflineBanner() {
  useMissedRunsToast();
  const isLost = useConnection(({ state }) => state === 'reconnecting');
  if (!isLost) return null;
  return (
    <div className={styles.offline} role="status">
      <Unplug size={16} aria-hidden="true" />
      <span>
        <strong>Disconnected from the engine.</strong> This page may be out of date. It updates when the
        connection is restored.
      </span>
    </div>
  );
}
