import { Link } from 'wouter';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { useSubRuns } from '../../api/queries/runs/run-queries.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import styles from './run.module.css';

interface SubRunListProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Links to the runs that a step has started. */
export function SubRunList({ run, step }: SubRunListProps) {
  const summaries = useSubRuns(run.name, run.dagRunId, true).data ?? [];
  return (
    <ul className={styles.subRuns} aria-label={`Runs started by ${step.name}`}>
      {step.subRuns.map(({ name, dagRunId }) => {
        const summary = summaries.find((one) => one.name === name && one.dagRunId === dagRunId);
        return (
          <li key={dagRunId}>
            <Link href={paths.run(name, dagRunId)}>
              {name} <code>{shortenRunId(dagRunId)}</code>
            </Link>
            {summary && <StatusBadge status={summary.status} />}
            {summary && <Duration startedAt={summary.startedAt} finishedAt={summary.finishedAt} />}
          </li>
        );
      })}
    </ul>
  );
}
