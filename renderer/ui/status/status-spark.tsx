import { memo } from 'react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';
import { countStatuses, statusToken } from '../../format/status.ts';
import { drawMissingRuns, sparkPaths, sparkSize } from './draw-spark.ts';
import styles from './status.module.css';

interface SparkProps {
  readonly statuses: readonly RunStatus[];
}

/**
 * The newest runs of a workflow, latest on the right: bars whose height and pattern convey the status in
 * addition to the color. In a list, the tooltip has its text.
 */
export const StatusSpark = memo(function StatusSpark({ statuses }: SparkProps) {
  const rest = <path d={drawMissingRuns(statuses.length)} fill="var(--border)" />;
  if (statuses.length === 0)
    return (
      <svg className={styles.spark} {...sparkSize} aria-hidden="true">
        {rest}
      </svg>
    );
  const label = `Last ${pluralize(statuses.length, 'run')}: ${countStatuses(statuses)}`;
  return (
    <svg className={styles.spark} {...sparkSize} role="img" aria-label={label} data-hint={label}>
      {rest}
      {sparkPaths(statuses).map(({ status, path }) => (
        <path key={status} d={path} fill={`var(--status-${statusToken(status)})`} />
      ))}
    </svg>
  );
});
