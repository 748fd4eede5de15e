import { FilterX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { useSystemInfo } from '../../api/system-queries.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Term } from '../../ui/term.tsx';
import type { TableSection } from '../../ui/list/table-row.tsx';
import { useSelection } from '../../ui/list/row-state.ts';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { useStartRun } from '../start/start-dialog.tsx';
import styles from './workflows.module.css';
import {
  groupRows,
  groupings,
  type Grouping,
  setGrouping,
  isInFolded,
  useGrouping,
  type SortOrder,
  getWorkflowKey,
  useWorkflowRows,
  type WorkflowRow,
} from './workflow-rows.ts';
import { StatusSummary, WorkflowBulkBar, WorkflowFilterBar } from './workflow-filter-bar.tsx';
import { matchesFilter, readFilter } from '../organize/workflow-filter.tsx';
import { SchedulerNotice } from '../schedules/scheduler-notice.tsx';
import { WorkflowTable } from './workflow-table.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';

/** Empty state of a home without workflows. */
function NoWorkflows() {
  const folder = useSystemInfo().data?.dagsDir;
  return (
    <EmptyState illustration="workflows" title="No workflows yet">
      <p>
        A <Term name="workflow">workflow</Term> runs <Term name="step">steps</Term> in order. Drop a YAML
        file, shell script, Makefile or crontab here, or run a sample from the{' '}
        <Link href={paths.dashboard}>dashboard</Link>.
      </p>
      <NewWorkflowButton />
      {folder !== undefined && (
        <p className={styles.folder}>
          <code>{folder}</code>
          <CopyButton label="Copy folder path" text={folder} />
        </p>
      )}
    </EmptyState>
  );
}

/** All workflows of this installation and their status. */
export function WorkflowsPage() {
  const dags = useDags();
  useSystemChanges('dags', queryKeys.dags);
  return (
    <Page
      title={getPageLabel(paths.workflows)}
      beside={<Count dags={dags.data} />}
      actions={<NewWorkflowButton />}
    >
      <QueryState query={dags} what="The workflows">
        {(all) => (all.length === 0 ? <NoWorkflows /> : <WorkflowList all={all} />)}
      </QueryState>
    </Page>
  );
}

/** The initial order comes from the configuration. */
function useOrder(): [SortOrder, (order: SortOrder) => void] {
  const { sortField = 'name', sortOrder = 'asc' } = useSystemInfo().data?.ui.dags ?? {};
  const [chosen, setChosen] = useState<SortOrder>();
  return [chosen ?? { field: sortField, isDescending: sortOrder === 'desc' }, setChosen];
}

function WorkflowList({ all }: { readonly all: readonly DagSummaryView[] }) {
  const start = useStartRun();
  const [params, change] = useQueryParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const [order, setOrder] = useOrder();
  const shown = useMemo(() => all.filter((dag) => matchesFilter(dag, filter)), [all, filter]);
  const rows = useWorkflowRows(shown, order, start.pending);
  const { by, sections } = useSections(rows, params.get('by'));
  const selection = useSelection(
    useMemo(
      () => (sections ? sections.flatMap((set) => set.rows) : rows).map(getWorkflowKey),
      [sections, rows],
    ),
  );
  return (
    <>
      {all.some(({ nextRun }) => nextRun !== undefined) && <SchedulerNotice />}
      <WorkflowFilterBar
        dags={all}
        filter={filter}
        by={by}
        onGroup={(next) => {
          setGrouping(next);
          change({ by: next });
        }}
        onChange={change}
      />
      <WorkflowBulkBar
        dags={shown.filter(({ fileName }) => selection.keys.has(fileName))}
        selection={selection}
      />
      {shown.length > 0 ? (
        <WorkflowTable
          rows={rows}
          sections={sections}
          by={by}
          order={order}
          onOrder={setOrder}
          onRun={start.begin}
          selection={selection}
        />
      ) : (
        <NoMatch
          hidden={all.length}
          onClear={() => change({ text: '', tag: '', group: '', status: '', files: '' })}
        />
      )}
      {start.dialog}
    </>
  );
}

/** The sections of rows: from the address, otherwise as stored. */
function useSections(
  rows: readonly WorkflowRow[],
  requested: string | null,
): { by: Grouping; sections: readonly TableSection<WorkflowRow>[] | undefined } {
  const { by: saved, folded } = useGrouping();
  const hasFolders = rows.some(({ dag }) => dag.folder !== undefined);
  const by = groupings.find((one) => one === requested) ?? saved ?? (hasFolders ? 'folder' : 'none');
  const sets = useMemo(() => (by === 'none' ? undefined : groupRows(rows, by)), [rows, by]);
  const sections = useMemo(
    () =>
      sets
        ?.filter(({ id }) => !isInFolded(id, folded))
        .map((set) => ({
          ...set,
          summary: <StatusSummary rows={set.all ?? set.rows} />,
          isFolded: folded.includes(set.id),
        })),
    [sets, folded],
  );
  return { by, sections };
}

function Count({ dags }: { readonly dags: readonly DagSummaryView[] | undefined }) {
  if (!dags) return null;
  const broken = dags.filter(({ valid }) => !valid).length;
  return (
    <span className={styles.count}>
      {dags.length}
      {broken > 0 && ` · ${broken} with errors`}
    </span>
  );
}

function NoMatch({ hidden, onClear }: { readonly hidden: number; readonly onClear: () => void }) {
  return (
    <EmptyState icon={FilterX} title="No matching workflows">
      <p>The filter hides {hidden === 1 ? 'the only workflow' : `all ${hidden} workflows`}.</p>
      <Button onPress={onClear}>Clear filters</Button>
    </EmptyState>
  );
}
