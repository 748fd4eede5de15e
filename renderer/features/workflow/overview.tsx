import { Link, useLocation } from 'wouter';
import { useCallback } from 'react';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { RunStatus } from '../../../core/model/run.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { getSpan, formatDuration } from '../../format/time.ts';
import { useRuns, useRun } from '../../api/run-queries.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { QueryState } from '../../ui/state.tsx';
import { StatusBadge, StatusShape } from '../../ui/status.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { isActive } from '../../format/labels.ts';
import { WorkflowGraph } from '../../graph/workflow-graph.tsx';
import styles from './workflow.module.css';

/** Fewer runs are not representative. */
const fewest = 3;

/** Returns the median duration of successful runs, in ms. */
function medianDuration(
  runs: readonly Pick<RunSummaryView, 'status' | 'startedAt' | 'finishedAt'>[],
): number | undefined {
  const spans = runs
    .filter(({ status }) => status === 'succeeded')
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt === undefined || finishedAt === undefined ? [] : [getSpan(startedAt, finishedAt, 0)],
    )
    .toSorted((one, other) => one - other);
  return spans.length < fewest ? undefined : spans[Math.floor(spans.length / 2)];
}

const maxShown = 8;

/** The newest runs of the workflow with links, and their usual duration. */
function LastRuns({ dag }: { readonly dag: DagDetailView }) {
  const runs = useRuns({ name: dag.name });
  const all = runs.data?.pages.flatMap(({ dagRuns }) => dagRuns) ?? [];
  const usual = medianDuration(all);
  return (
    <section className={styles.runs} aria-labelledby="last-runs">
      <div className={styles.runsHead}>
        <h2 id="last-runs">Recent runs</h2>
        {usual !== undefined && <span className={styles.note}>usually {formatDuration(usual)}</span>}
        {all.length > maxShown && (
          <Link href={withQuery(paths.workflow(dag.fileName), { tab: 'runs' })} className={styles.more}>
            All runs
          </Link>
        )}
      </div>
      <QueryState query={runs} what="The recent runs">
        {() =>
          all.length === 0 ? (
            <p className={styles.none}>No runs yet</p>
          ) : (
            <ul>
              {all.slice(0, maxShown).map((run) => (
                <LastRun key={run.dagRunId} run={run} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

function LastRun({ run }: { readonly run: RunSummaryView }) {
  const { name, dagRunId, status, startedAt, createdAt, finishedAt, error } = run;
  return (
    <li>
      <Link href={paths.run(name, dagRunId)} className={styles.run}>
        <span className={styles.runLine}>
          <StatusBadge status={status} />
          <span className={styles.note}>
            <Duration startedAt={startedAt} finishedAt={finishedAt} />
          </span>
        </span>
        <span className={styles.second}>
          <RelativeTime iso={startedAt ?? createdAt} />
        </span>
        {error !== undefined && status !== 'succeeded' && (
          <span
            className={styles.reason}
            data-failed={status === 'failed' || undefined}
            dir="auto"
            title={error}
          >
            {error}
          </span>
        )}
      </Link>
    </li>
  );
}

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
