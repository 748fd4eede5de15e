import { useCallback } from 'react';
import { useLocation } from 'wouter';
import type { DagDetailView } from '../../../../core/contract/workflows/dags.ts';
import type { RunStatus } from '../../../../core/model/run/status.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { isActive } from '../../../format/status.ts';
import { useRun } from '../../../api/queries/runs/run-queries.ts';
import { paths } from '../../../app/paths.ts';
import { WorkflowGraph } from '../../../graph/workflow-graph.tsx';
import { StatusShape } from '../../../ui/status/status-shape.tsx';
import { LastRuns } from './last-runs.tsx';
import styles from './overview.module.css';

interface OverviewProps {
  readonly dag: DagDetailView;
  readonly workflow: Workflow;
}

/** The graph of the workflow, and its recent runs. */
export function Overview({ dag, workflow }: OverviewProps) {
  return (
    <div className={styles.overview}>
      <LiveGraph dag={dag} workflow={workflow} />
      <LastRuns dag={dag} />
    </div>
  );
}

/** The graph, colored by the newest run while that is active. */
function LiveGraph({ dag, workflow }: OverviewProps) {
  const [, navigate] = useLocation();
  const { name = '', dagRunId = '' } = dag.latestRun ?? {};
  const active = isActive(dag.latestRun);
  const run = useRun(name, dagRunId, active).data;
  const shown = active ? run : undefined;
  const open = useCallback(() => navigate(paths.run(name, dagRunId)), [navigate, name, dagRunId]);
  return (
    <div className={styles.graph}>
      <WorkflowGraph
        workflow={workflow}
        run={shown}
        legend={shown && <LatestMark status={shown.status} />}
        onSelect={shown && open}
      />
    </div>
  );
}

function LatestMark({ status }: { readonly status: RunStatus }) {
  return (
    <>
      <StatusShape status={status} />
      Active run. Select a step to open it.
    </>
  );
}
