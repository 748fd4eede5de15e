import { Unplug } from 'lucide-react';
import { useConnection } from '../../api/connection.ts';
import styles from './status.module.css';
import { useTellMissed } from './missed.ts';

/** Lies over the foot of the page while the engine cannot be reached: nothing moves, and titles and actions stay in sight. */
export function OfflineBanner() {
  useTellMissed();
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
