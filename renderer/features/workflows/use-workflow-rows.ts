import { useMemo } from 'react';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';
import { useRecentRuns } from '../../api/queries/runs/run-list-queries.ts';
import { useStableRows } from '../../ui/list/use-stable-rows.ts';
import { collectRecent } from './collect-recent.ts';
import { sortWorkflows, type SortOrder } from './sort-workflows.ts';

/** A workflow with the other contents of its row. */
export interface WorkflowRow {
  readonly dag: DagSummaryView;
  /** Statuses of its newest runs, oldest first. */
  readonly recent: readonly RunStatus[];
  /** A run of it is being started. */
  readonly isStarting: boolean;
}

const noRuns: readonly RunStatus[] = [];

export const keyOfWorkflow = ({ dag }: WorkflowRow): string => dag.fileName;

/** Returns the sorted rows; unchanged rows keep their object identity. */
export function useWorkflowRows(
  dags: readonly DagSummaryView[],
  { field, isDescending }: SortOrder,
  starting: string | undefined,
): readonly WorkflowRow[] {
  const runs = useRecentRuns().data;
  const recent = useMemo(() => collectRecent(runs ?? []), [runs]);
  const sorted = useMemo(() => sortWorkflows(dags, { field, isDescending }), [dags, field, isDescending]);
  const rows = useMemo(
    () =>
      sorted.map((dag) => ({
        dag,
        recent: recent.get(dag.name) ?? noRuns,
        isStarting: starting === dag.fileName,
      })),
    [sorted, recent, starting],
  );
  return useStableRows(rows, keyOfWorkflow);
}
