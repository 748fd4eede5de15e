import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { RunStatus } from '../../../core/model/status.ts';
import { useRecentRuns, useSystemInfo } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { pressRow } from '../../ui/layout/row-press.ts';
import { SortHeader } from '../../ui/layout/sort-header.tsx';
import table from '../../ui/layout/table.module.css';
import { StatusSpark } from '../../ui/status/status-spark.tsx';
import { collectRecent } from './collect-recent.ts';
import { LatestRun, NameCell, RunAction, ScheduleCell } from './workflow-cells.tsx';
import styles from './workflows.module.css';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});
const helper = createColumnHelper<typeof features, DagSummaryView>();
const byText = { sortFn: 'alphanumeric', sortUndefined: 'last' } as const;
const columns = helper.columns([
  helper.accessor('name', { header: 'Name', ...byText }),
  helper.accessor('nextRun', { header: 'Schedule', ...byText }),
  helper.accessor(({ latestRun }) => latestRun?.createdAt, { id: 'latest', header: 'Last run', ...byText }),
]);

interface WorkflowTableProps {
  readonly dags: readonly DagSummaryView[];
  readonly pending: string | undefined;
  readonly onRun: (fileName: string) => void;
}

/** The workflows in a dense, sortable table, which begins in the order of the configuration. */
export function WorkflowTable(props: WorkflowTableProps) {
  const { sortField = 'name', sortOrder = 'asc' } = useSystemInfo().data?.ui.dags ?? {};
  return (
    <SortedTable
      key={`${sortField} ${sortOrder}`}
      first={{ id: columnIds[sortField], desc: sortOrder === 'desc' }}
      {...props}
    />
  );
}

const columnIds = { name: 'name', nextRun: 'nextRun', latestRun: 'latest' } as const;

interface SortedTableProps extends WorkflowTableProps {
  /** How it is ordered until somebody orders it otherwise. */
  readonly first: { readonly id: string; readonly desc: boolean };
}

function SortedTable({ dags, pending, onRun, first }: SortedTableProps) {
  const data = useMemo(() => [...dags], [dags]);
  const model = useTable({
    features,
    columns,
    data,
    getRowId: ({ fileName }) => fileName,
    initialState: { sorting: [first] },
    enableSortingRemoval: false,
  });
  const runs = useRecentRuns().data;
  const recent = useMemo(() => collectRecent(runs ?? []), [runs]);
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.roomy} ${styles.table}`}>
        <thead>
          <tr>
            {model.getHeaderGroups()[0]?.headers.map(({ id, column }) => (
              <SortHeader
                key={id}
                label={String(column.columnDef.header)}
                sorted={column.getIsSorted()}
                onSort={() => column.toggleSorting()}
              />
            ))}
            <th scope="col">Recent</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {model.getRowModel().rows.map(({ id, original }) => (
            <WorkflowRow
              key={id}
              dag={original}
              recent={recent.get(original.name) ?? noRuns}
              pending={pending === original.fileName}
              onRun={onRun}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const noRuns: readonly RunStatus[] = [];

interface WorkflowRowProps {
  readonly dag: DagSummaryView;
  readonly recent: readonly RunStatus[];
  readonly pending: boolean;
  readonly onRun: (fileName: string) => void;
}

function WorkflowRow({ dag, recent, pending, onRun }: WorkflowRowProps) {
  const [, navigate] = useLocation();
  return (
    <tr className={table.row} {...pressRow(() => navigate(paths.workflow(dag.fileName)))}>
      <td>
        <NameCell dag={dag} />
      </td>
      <td>
        <ScheduleCell dag={dag} />
      </td>
      <td>
        <LatestRun run={dag.latestRun} />
      </td>
      <td>
        <StatusSpark statuses={recent} />
      </td>
      <td className={table.number}>
        <RunAction dag={dag} pending={pending} onRun={onRun} />
      </td>
    </tr>
  );
}
