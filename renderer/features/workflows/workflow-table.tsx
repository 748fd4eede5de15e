import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import type { TableSection } from '../../ui/list/table-entries.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import type { Selection } from '../../ui/list/use-selection.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusSpark } from '../../ui/status/status-spark.tsx';
import { useSuspendSwitch, type SuspendSwitch } from '../schedule/suspend-button.tsx';
import type { Arrangement } from './arrange.ts';
import { setFolded } from './arrangement-store.ts';
import type { SortOrder, SortField } from './sort-workflows.ts';
import { keyOfWorkflow, type WorkflowRow } from './use-workflow-rows.ts';
import { LatestRun, NameCell, RunAction, ScheduleCell, type RunSwitch } from './workflow-cells.tsx';

interface WorkflowTableProps {
  readonly rows: readonly WorkflowRow[];
  readonly sections: readonly TableSection<WorkflowRow>[] | undefined;
  readonly by: Arrangement;
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
  const { field, isDescending } = order;
  const columns = useMemo(
    () =>
      listColumns({
        withGroup: by !== 'group',
        order: { field, isDescending },
        onOrder: (next) => latest.current.onOrder(next),
        suspend,
        run: { begin: (fileName) => latest.current.onRun(fileName), unavailable },
      }),
    [by, field, isDescending, suspend, unavailable, latest],
  );
  return (
    <VirtualTable
      label="Workflows"
      rows={rows}
      sections={sections}
      onFold={(section, isFolded) => setFolded([section], isFolded)}
      columns={columns}
      keyOf={keyOfWorkflow}
      nameOf={({ dag }) => dag.name}
      onOpen={({ dag }) => navigate(paths.workflow(dag.fileName))}
      selection={selection}
      isRoomy
      minWidth={900}
    />
  );
}

interface ColumnOptions {
  readonly withGroup: boolean;
  readonly order: SortOrder;
  readonly onOrder: (order: SortOrder) => void;
  readonly suspend: SuspendSwitch;
  readonly run: RunSwitch;
}

function listColumns({
  withGroup,
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
      cell: ({ dag }) => <NameCell dag={dag} withGroup={withGroup} />,
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
      cell: ({ recent }) => <StatusSpark statuses={recent} />,
    },
    {
      id: 'run',
      header: <span className="visually-hidden">Actions</span>,
      width: '108px',
      isNumber: true,
      cell: ({ dag, isStarting }) => <RunAction dag={dag} isStarting={isStarting} run={run} />,
    },
  ];
}
