import type { RunDetailView, RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { useWorkflowRuns } from '../../api/queries/runs/run-list-queries.ts';

/** Returns the previous run of the same workflow. */
export function usePreviousRun(run: RunDetailView): RunSummaryView | undefined {
  const runs = useWorkflowRuns(run.name).data ?? [];
  return findPrevious(run, runs);
}

/** Returns the newest run created before a run. */
export const findPrevious = (
  run: Pick<RunSummaryView, 'dagRunId' | 'createdAt'>,
  runs: readonly RunSummaryView[],
): RunSummaryView | undefined =>
  runs
    .filter(({ dagRunId, createdAt }) => dagRunId !== run.dagRunId && createdAt <= run.createdAt)
    .sort((left, right) => right.createdAt.localeCompare(left.createdAt))[0];
