import { CircleAlert, Play } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { paths } from '../../app/paths.ts';
import { describeCron } from '../../format/cron.ts';
import { TagList } from '../../ui/controls/tag.tsx';
import table from '../../ui/list/table.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { RowSuspendButton, type SuspendSwitch } from '../schedule/suspend-button.tsx';
import styles from './workflows.module.css';

interface NameCellProps {
  readonly dag: DagSummaryView;
  /** False below a section header with the group. */
  readonly withGroup: boolean;
}

/** Name, tags and description of the workflow, or the error in its file. */
export function NameCell({ dag, withGroup }: NameCellProps) {
  return (
    <div className={styles.name}>
      <div className={styles.nameLine}>
        <Link href={paths.workflow(dag.fileName)} className={table.rowLink}>
          {dag.name}
        </Link>
        {withGroup && dag.group !== undefined && (
          <span className={styles.group} dir="auto">
            {dag.group}
          </span>
        )}
        <TagList tags={dag.tags} />
      </div>
      {dag.valid ? (
        <div className={styles.description} dir="auto" title={dag.description}>
          {dag.description ?? pluralize(dag.stepCount, 'step')}
        </div>
      ) : (
        <FirstError problem={dag.problem} />
      )}
    </div>
  );
}

/** Why a file cannot be run. */
function FirstError({ problem }: Pick<DagSummaryView, 'problem'>) {
  return (
    <div className={styles.error} title={problem?.message}>
      <CircleAlert size={12} aria-hidden="true" />
      <span>
        {problem ? describeProblem(problem) : 'The file has errors'}
        {problem !== undefined && problem.more > 0 && ` (and ${problem.more} more)`}
      </span>
    </div>
  );
}

const describeProblem = ({ base, line, message }: NonNullable<DagSummaryView['problem']>): string =>
  `${base === undefined ? 'Line' : `${base.replace(/.*[\\/]/, '')}, line`} ${line}: ${message}`;

interface ScheduleCellProps {
  readonly dag: DagSummaryView;
  readonly suspend: SuspendSwitch;
}

/** The schedule in words, and its next time. */
export function ScheduleCell({ dag, suspend }: ScheduleCellProps) {
  const { fileName, name, suspended, nextRun } = dag;
  const [first, ...others] = dag.schedule.start;
  if (first === undefined) return <span className={table.faint}>–</span>;
  return (
    <div className={styles.schedule}>
      <div
        className={styles.times}
        title={dag.schedule.start.map((cron) => `${cron}  ${describeCron(cron)}`).join('\n')}
      >
        <div className={styles.cron}>
          <span>{describeCron(first)}</span>
          {others.length > 0 && <span className={table.faint}>+{others.length}</span>}
        </div>
        <div className={styles.second}>
          {suspended ? 'suspended' : nextRun !== undefined && <RelativeTime iso={nextRun} />}
        </div>
      </div>
      <RowSuspendButton fileName={fileName} name={name} suspended={suspended} by={suspend} />
    </div>
  );
}

/** Status, time and duration of the newest run. */
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

/** Shared by the buttons of all rows. */
export interface RunSwitch {
  readonly begin: (fileName: string) => void;
  /** Why the role does not allow it. */
  readonly unavailable: string | undefined;
}

interface RunActionProps {
  readonly dag: DagSummaryView;
  readonly isStarting: boolean;
  readonly run: RunSwitch;
}

/** Button that starts the workflow. */
export function RunAction({ dag, isStarting, run }: RunActionProps) {
  return (
    <RowButton
      icon={Play}
      label={`Run ${dag.name}`}
      isDisabled={!dag.valid}
      unavailable={run.unavailable}
      isPending={isStarting}
      onPress={() => run.begin(dag.fileName)}
    >
      Run
    </RowButton>
  );
}
