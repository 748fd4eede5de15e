import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { RunStatus } from '../../../core/model/status.ts';
import { useRecentRuns, useSystemInfo } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import type { Selection } from '../../ui/list/use-selection.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusSpark } from '../../ui/status/status-spark.tsx';
import { collectRecent } from './collect-recent.ts';
import { sortWorkflows, type Order, type SortField } from './sort-workflows.ts';
import { LatestRun, NameCell, RunAction, ScheduleCell } from './workflow-cells.tsx';

interface WorkflowTableProps {
  readonly dags: readonly DagSummaryView[];
  readonly pending: string | undefined;
  readonly onRun: (fileName: string) => void;
  readonly selection: Selection;
}

const noRuns: readonly RunStatus[] = [];

/** The workflows in a dense, sortable table, which begins in the order of the configuration. */
export function WorkflowTable({ dags, pending, onRun, selection }: WorkflowTableProps) {
  const [, navigate] = useLocation();
  const { sortField = 'name', sortOrder = 'asc' } = useSystemInfo().data?.ui.dags ?? {};
  const [chosen, setChosen] = useState<Order>();
  const order = chosen ?? { field: sortField, isDescending: sortOrder === 'desc' };
  const { field, isDescending } = order;
  const rows = useMemo(() => sortWorkflows(dags, { field, isDescending }), [dags, field, isDescending]);
  const runs = useRecentRuns().data;
  const recent = useMemo(() => collectRecent(runs ?? []), [runs]);
  return (
    <VirtualTable
      label="Workflows"
      rows={rows}
      columns={listColumns({ order, onOrder: setChosen, recent, pending, onRun })}
      keyOf={({ fileName }) => fileName}
      nameOf={({ name }) => name}
      onOpen={({ fileName }) => navigate(paths.workflow(fileName))}
      selection={selection}
      isRoomy
      minWidth={900}
    />
  );
}

interface ColumnWish extends Pick<WorkflowTableProps, 'pending' | 'onRun'> {
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly recent: ReadonlyMap<string, readonly RunStatus[]>;
}

function listColumns({
  order,
  onOrder,
  recent,
  pending,
  onRun,
}: ColumnWish): readonly Column<DagSummaryView>[] {
  const sortBy = (field: SortField, label: string): NonNullable<Column<DagSummaryView>['sort']> => ({
    label,
    sorted: order.field === field && (order.isDescending ? 'desc' : 'asc'),
    onSort: () => onOrder({ field, isDescending: order.field === field && !order.isDescending }),
  });
  return [
    { id: 'name', header: 'Name', sort: sortBy('name', 'Name'), cell: (dag) => <NameCell dag={dag} /> },
    {
      id: 'next',
      header: 'Schedule',
      width: '25%',
      sort: sortBy('nextRun', 'Schedule'),
      cell: (dag) => <ScheduleCell dag={dag} />,
    },
    {
      id: 'latest',
      header: 'Last run',
      width: '204px',
      sort: sortBy('latestRun', 'Last run'),
      cell: ({ latestRun }) => <LatestRun run={latestRun} />,
    },
    {
      id: 'recent',
      header: 'Recent',
      width: '92px',
      cell: ({ name }) => <StatusSpark statuses={recent.get(name) ?? noRuns} />,
    },
    {
      id: 'run',
      header: <span className="visually-hidden">Actions</span>,
      width: '108px',
      isNumber: true,
      cell: (dag) => <RunAction dag={dag} pending={pending === dag.fileName} onRun={onRun} />,
    },
  ];
}
