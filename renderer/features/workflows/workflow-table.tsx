import { CircleAlert, Play } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useMemo, useRef, useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import { paths } from '../../navigation/address.ts';
import { formatCron } from '../../format/time.ts';
import { TagList } from '../../ui/page.tsx';
import table from '../../ui/list/list.module.css';
import { RowButton, RowMenuButton } from '../../ui/list/row-controls.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { useCan } from '../../api/session-queries.ts';
import type { TableSection } from '../../ui/list/table-row.tsx';
import { useLatest, type Selection } from '../../ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusSparkline } from '../../ui/status-charts.tsx';
import { MissedMark } from '../expectations/expectations.tsx';
import { formatTargets } from '../organize/use-organize.ts';
import { useWorkflowActions, useWorkflowKeys } from '../organize/workflow-actions.ts';
import { ContextMenu, type MenuPosition } from '../../ui/menu.tsx';
import { RowSuspendButton, type SuspendSwitch, useSuspendSwitch } from '../schedules/suspend-button.tsx';
import styles from './workflows.module.css';
import {
  type Grouping,
  setFolded,
  type SortOrder,
  type SortField,
  getWorkflowKey,
  type WorkflowRow,
} from './workflow-rows.ts';

interface NameCellProps {
  readonly dag: DagSummaryView;
  /** False below a section header with the group. */
  readonly withGroup: boolean;
  /** False below a section header with the folder. */
  readonly withFolder: boolean;
}

/** Name, tags and description of the workflow, or the error in its file. */
function NameCell({ dag, withGroup, withFolder }: NameCellProps) {
  return (
    <div className={styles.name}>
      <div className={styles.nameLine}>
        <Link href={paths.workflow(dag.fileName)} className={table.rowLink}>
          {dag.name}
        </Link>
        {withFolder && dag.folder !== undefined && (
          <span className={styles.group} dir="auto">
            {dag.folder}/
          </span>
        )}
        {withGroup && dag.group !== undefined && (
          <span className={styles.group} dir="auto">
            {dag.group}
          </span>
        )}
        <TagList tags={dag.tags} />
      </div>
      {dag.ignoredFiles !== undefined ? (
        <div className={styles.error} title={dag.ignoredFiles.join('\n')}>
          <CircleAlert size={12} aria-hidden="true" />
          <span>Same file name, ignored: {dag.ignoredFiles.join(', ')}</span>
        </div>
      ) : !dag.valid ? (
        <FirstError problem={dag.problem} />
      ) : dag.missed !== undefined ? (
        <MissedMark missed={dag.missed} />
      ) : (
        <div className={styles.description} dir="auto" title={dag.description}>
          {dag.description ?? pluralize(dag.stepCount, 'step')}
        </div>
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
        {problem ? formatProblem(problem) : 'The file has errors'}
        {problem !== undefined && problem.more > 0 && ` (and ${problem.more} more)`}
      </span>
    </div>
  );
}

const formatProblem = ({ base, line, message }: NonNullable<DagSummaryView['problem']>): string =>
  `${base === undefined ? 'Line' : `${base.replace(/.*[\\/]/, '')}, line`} ${line}: ${message}`;

interface ScheduleCellProps {
  readonly dag: DagSummaryView;
  readonly suspend: SuspendSwitch;
}

/** The schedule in words, and its next time. */
function ScheduleCell({ dag, suspend }: ScheduleCellProps) {
  const { fileName, name, suspended, nextRun } = dag;
  const [first, ...others] = dag.schedule.start;
  if (first === undefined) return <span className={table.faint}>–</span>;
  return (
    <div className={styles.schedule}>
      <div
        className={styles.times}
        title={dag.schedule.start.map((cron) => `${cron}  ${formatCron(cron)}`).join('\n')}
      >
        <div className={styles.cron}>
          <span>{formatCron(first)}</span>
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
function LatestRun({ run }: { readonly run: RunSummaryView | undefined }) {
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
interface RunSwitch {
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
function RunAction({ dag, isStarting, run }: RunActionProps) {
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

interface WorkflowTableProps {
  readonly rows: readonly WorkflowRow[];
  readonly sections: readonly TableSection<WorkflowRow>[] | undefined;
  readonly by: Grouping;
  readonly order: SortOrder;
  readonly onOrder: (order: SortOrder) => void;
  readonly onRun: (fileName: string) => void;
  readonly selection: Selection;
}

/** The workflows in a dense, sortable table. */
export function WorkflowTable(props: WorkflowTableProps) {
  const { rows, sections, by, order, onOrder, onRun, selection } = props;
  const [, navigate] = useLocation();
  const suspend = useSuspendSwitch();
  const unavailable = useCan('dags.start').reason;
  const latest = useLatest({ onOrder, onRun });
  const current = useRef<(() => WorkflowRow | undefined) | null>(null);
  const [menu, setMenu] = useState<{ readonly dags: readonly DagSummaryView[]; readonly at: MenuPosition }>();
  const listActions = useWorkflowActions();
  const chosen = rows.flatMap(({ dag }) => (selection.keys.has(dag.fileName) ? [dag] : []));
  useWorkflowKeys(() =>
    chosen.length > 0 ? chosen : [current.current?.()?.dag].filter((dag) => dag !== undefined),
  );
  const { field, isDescending } = order;
  const columns = useMemo(
    () =>
      listColumns({
        withGroup: by !== 'group',
        withFolder: by !== 'folder',
        order: { field, isDescending },
        onOrder: (next) => latest.current.onOrder(next),
        suspend,
        run: { begin: (fileName) => latest.current.onRun(fileName), unavailable },
      }),
    [by, field, isDescending, suspend, unavailable, latest],
  );
  return (
    <>
      <VirtualTable
        label="Workflows"
        rows={rows}
        sections={sections}
        onFold={(section, isFolded) => setFolded([section], isFolded)}
        columns={columns}
        getKey={getWorkflowKey}
        getName={({ dag }) => dag.name}
        onOpen={({ dag }) => navigate(paths.workflow(dag.fileName))}
        selection={selection}
        isRoomy
        minWidth={936}
        current={current}
        onMenu={({ dag }, at) => setMenu({ dags: selection.keys.has(dag.fileName) ? chosen : [dag], at })}
      />
      {menu && (
        <ContextMenu
          label={`Actions for ${formatTargets(menu.dags)}`}
          actions={listActions(menu.dags, onRun)}
          at={menu.at}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}

interface ColumnOptions {
  readonly withGroup: boolean;
  readonly withFolder: boolean;
  readonly order: SortOrder;
  readonly onOrder: (order: SortOrder) => void;
  readonly suspend: SuspendSwitch;
  readonly run: RunSwitch;
}

function listColumns({
  withGroup,
  withFolder,
  order,
  onOrder,
  suspend,
  run,
}: ColumnOptions): readonly Column<WorkflowRow>[] {
  const sortBy = (field: SortField, label: string): NonNullable<Column<WorkflowRow>['sort']> => ({
    label,
    sorted: order.field === field && (order.isDescending ? 'desc' : 'asc'),
    onSort: () => onOrder({ field, isDescending: order.field === field && !order.isDescending }),
  });
  return [
    {
      id: 'name',
      header: 'Name',
      sort: sortBy('name', 'Name'),
      cell: ({ dag }) => <NameCell dag={dag} withGroup={withGroup} withFolder={withFolder} />,
    },
    {
      id: 'next',
      header: 'Schedule',
      // A quarter of a small window; in a large one the width of a long schedule, because names have room to
      // spare.
      width: 'clamp(225px, calc(47vw - 335px), 600px)',
      sort: sortBy('nextRun', 'Schedule'),
      cell: ({ dag }) => <ScheduleCell dag={dag} suspend={suspend} />,
    },
    {
      id: 'latest',
      header: 'Last run',
      width: '204px',
      sort: sortBy('latestRun', 'Last run'),
      cell: ({ dag }) => <LatestRun run={dag.latestRun} />,
    },
    {
      id: 'recent',
      header: 'Recent',
      width: '92px',
      cell: ({ recent }) => <StatusSparkline statuses={recent} />,
    },
    {
      id: 'run',
      header: <span className="visually-hidden">Actions</span>,
      width: '144px',
      isNumber: true,
      cell: ({ dag, isStarting }) => (
        <span className={styles.actions}>
          <RunAction dag={dag} isStarting={isStarting} run={run} />
          <RowMenuButton label={`Actions for ${dag.name}`} />
        </span>
      ),
    },
  ];
}
