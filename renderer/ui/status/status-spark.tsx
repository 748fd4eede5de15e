import type { RunStatus } from '../../../core/model/status.ts';
import { countStatuses, statusToken } from '../../format/status.ts';
import { WithTooltip } from '../overlay/tooltip.tsx';
import styles from './status.module.css';

/** The newest runs of a workflow, oldest left: bars whose height and pattern tell the status as well as their colour. */
export function StatusSpark({ statuses }: { readonly statuses: readonly RunStatus[] }) {
  if (statuses.length === 0) return <span className={styles.sparkEmpty} aria-hidden="true" />;
  const label = `Last ${statuses.length} ${statuses.length === 1 ? 'run' : 'runs'}: ${countStatuses(statuses)}`;
  return (
    <WithTooltip text={label}>
      <span className={styles.spark} role="img" aria-label={label}>
        {statuses.map((status, index) => (
          <i
            // Places in a short, fixed strip have no other identity.
            key={index}
            data-status={status}
            style={{ '--bar': `var(--status-${statusToken(status)})` } as React.CSSProperties}
          />
        ))}
      </span>
    </WithTooltip>
  );
}
