import { Link } from 'wouter';
import type { DagDetailView } from '../../../../core/contract/workflows/dags.ts';
import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { useRuns } from '../../../api/queries/runs/run-list-queries.ts';
import { paths, withQuery } from '../../../app/paths.ts';
import { formatDuration } from '../../../format/duration.ts';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { StatusBadge } from '../../../ui/status/status-badge.tsx';
import { Duration } from '../../../ui/time/duration.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { medianDuration } from './usual-span.ts';
import styles from './overview.module.css';

const maxShown = 8;

/** The newest runs of the workflow with links, and their usual duration. */
export function LastRuns({ dag }: { readonly dag: DagDetailView }) {
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
