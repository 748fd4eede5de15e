import { useState } from 'react';
import type { GatewayStatusView } from '../../../core/contract/gateway.ts';
import { systemClock, useNow } from '../../app/clock.ts';
import { formatTicking } from '../../format/duration.ts';
import styles from './gateway.module.css';

/** Shown while the database is being opened and its schema is loading: the current phase and its duration. */
export function Opening({ status }: { readonly status: GatewayStatusView }) {
  const [began] = useState(() => systemClock.now());
  const passed = useNow() - began;
  const { kind, state, isReading } = status;
  const isOpening = state === 'opening' || state === 'closed';
  const doing = isOpening || !isReading ? 'Starting the database' : 'Reading tables';
  return (
    <div className={styles.opening} role="status">
      <h2>{doing}…</h2>
      <progress aria-label={doing} />
      <p>
        {kind === 'embedded'
          ? 'Embedded PostgreSQL starts on first use. This takes a few seconds the first time.'
          : 'Reading the database schema.'}
      </p>
      <p className={styles.passed}>{formatTicking(passed)}</p>
    </div>
  );
}
