import { Link } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useWorkflowRuns } from '../../api/queries/runs/run-list-queries.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './compare.module.css';

interface CompareDialogProps {
  readonly run: RunDetailView;
  readonly onClose: () => void;
}

/** Asks which recent run of the same workflow to compare a run with. */
export function CompareDialog({ run, onClose }: CompareDialogProps) {
  const runs = useWorkflowRuns(run.name);
  return (
    <Dialog title={`Compare with another run of ${run.name}`} onClose={onClose}>
      <QueryState query={runs} what="The runs">
        {(all) => {
          const others = all.filter(({ dagRunId }) => dagRunId !== run.dagRunId);
          if (others.length === 0) return <p className={styles.none}>No other runs of {run.name}</p>;
          return (
            <ul className={styles.choices} aria-label="Runs to compare with">
              {others.map((other) => (
                <li key={other.dagRunId}>
                  <Link
                    href={
                      other.createdAt < run.createdAt ? paths.compare(other, run) : paths.compare(run, other)
                    }
                    onClick={onClose}
                  >
                    <StatusBadge status={other.status} />
                    <RelativeTime iso={other.startedAt ?? other.createdAt} />
                    <Duration startedAt={other.startedAt} finishedAt={other.finishedAt} />
                    <code title={other.dagRunId}>{shortenRunId(other.dagRunId)}</code>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Dialog>
  );
}
