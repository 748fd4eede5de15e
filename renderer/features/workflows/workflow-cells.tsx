import { CircleAlert, Play } from 'lucide-react';
import { Link } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import { useDag } from '../../api/queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { describeCron } from '../../format/cron.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import table from '../../ui/layout/table.module.css';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { SuspendToggle } from '../schedule/suspend-button.tsx';
import styles from './workflows.module.css';

/** Name, tags and what the workflow is for, or what is wrong with its file. */
export function NameCell({ dag }: { readonly dag: DagSummaryView }) {
  return (
    <div className={styles.name}>
      <div className={styles.nameLine}>
        <Link href={paths.workflow(dag.fileName)} className={table.rowLink}>
          {dag.name}
        </Link>
        {dag.group !== undefined && <span className={styles.group}>{dag.group}</span>}
        <TagList tags={dag.tags} />
      </div>
      {dag.valid ? (
        <div className={styles.description} title={dag.description}>
          {dag.description ?? `${dag.stepCount} ${dag.stepCount === 1 ? 'step' : 'steps'}`}
        </div>
      ) : (
        <FirstError fileName={dag.fileName} />
      )}
    </div>
  );
}

/** Why a file cannot be run; the list only says that it cannot. */
function FirstError({ fileName }: { readonly fileName: string }) {
  const diagnostics = useDag(fileName).data?.diagnostics ?? [];
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const more = diagnostics.filter(({ severity }) => severity === 'error').length - 1;
  return (
    <div className={styles.error} title={first?.message}>
      <CircleAlert size={12} aria-hidden="true" />
      <span>
        {first ? `Line ${first.line}: ${first.message}` : 'The file has errors'}
        {more > 0 && ` (and ${more} more)`}
      </span>
    </div>
  );
}

/** When the workflow starts by itself, in words, and the next time. */
export function ScheduleCell({ dag }: { readonly dag: DagSummaryView }) {
  const [first, ...others] = dag.schedule.start;
  if (first === undefined) return <span className={table.faint}>–</span>;
  return (
    <div
      className={styles.schedule}
      title={dag.schedule.start.map((cron) => `${cron}  ${describeCron(cron)}`).join('\n')}
    >
      <div className={styles.cron}>
        <span>{describeCron(first)}</span>
        {others.length > 0 && <span className={table.faint}>+{others.length}</span>}
        <SuspendToggle fileName={dag.fileName} name={dag.name} suspended={dag.suspended} />
      </div>
      {dag.suspended && <div className={styles.second}>suspended</div>}
      {dag.nextRun !== undefined && (
        <div className={styles.second}>
          next <RelativeTime iso={dag.nextRun} />
        </div>
      )}
    </div>
  );
}

/** Status of the newest run, when it was and how long it took. */
export function LatestRun({ run }: { readonly run: RunSummaryView | undefined }) {
  if (!run) return <span className={table.faint}>Never run</span>;
  return (
    <Link href={paths.run(run.name, run.dagRunId)} className={styles.latest}>
      <StatusBadge status={run.status} />
      <span className={styles.second}>
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
        {run.startedAt !== undefined && (
          <>
            {' · '}
            <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
          </>
        )}
      </span>
    </Link>
  );
}

interface RunActionProps {
  readonly dag: DagSummaryView;
  readonly pending: boolean;
  readonly onRun: (fileName: string) => void;
}

/** Starts the workflow. */
export function RunAction({ dag, pending, onRun }: RunActionProps) {
  const may = useMay('dags.start');
  return (
    <Button
      size="small"
      icon={Play}
      isDisabled={!dag.valid}
      unavailable={may.reason}
      isPending={pending}
      aria-label={`Run ${dag.name}`}
      onPress={() => onRun(dag.fileName)}
    >
      Run
    </Button>
  );
}
