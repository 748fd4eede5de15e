import { statusLabels } from '../../format/status.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { countLatest } from './arrange.ts';
import type { WorkflowRow } from './use-workflow-rows.ts';
import styles from './workflows.module.css';

/** Counts of the statuses in a section, worst first. */
export function StatusSummary({ rows }: { readonly rows: readonly WorkflowRow[] }) {
  const broken = rows.filter(({ dag }) => !dag.valid).length;
  return (
    <span className={styles.summary}>
      {countLatest(rows).map(({ status, count }) => (
        <span key={status}>
          <StatusShape status={status} size={12} />
          {count} {statusLabels[status].toLowerCase()}
        </span>
      ))}
      {broken > 0 && <span>{broken} with errors</span>}
    </span>
  );
}
