import { useState } from 'react';
import type { GatewayStatusView } from '../../../core/contract/gateway.ts';
import { systemClock, useNow } from '../../app/clock.ts';
import { formatTicking } from '../../format/duration.ts';
import styles from './gateway.module.css';

/** What stands there until the database has been opened and read: what is being done, and for how long. */
export function Opening({ status }: { readonly status: GatewayStatusView }) {
  const [began] = useState(() => systemClock.now());
  const passed = useNow() - began;
  const { kind, state, isReading } = status;
  const isOpening = state === 'opening' || state === 'closed';
  const doing = isOpening || !isReading ? 'Starting the database' : 'Reading its tables';
  return (
    <div className={styles.opening} role="status">
      <h2>{doing}…</h2>
      <progress aria-label={doing} />
      <p>
        {kind === 'embedded'
          ? 'PostgreSQL runs inside this engine, and is started by the first who needs it. A new database takes some seconds; later it takes less than one.'
          : 'The server is asked for what it has.'}
      </p>
      <p className={styles.passed}>{formatTicking(passed)}</p>
    </div>
  );
}
