import { FilterX } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { useSystemInfo } from '../../api/queries/operating/system-queries.ts';
import { useQueryParams } from '../../app/address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import type { TableSection } from '../../ui/list/table-entries.ts';
import { useSelection } from '../../ui/list/use-selection.ts';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { useStartRun } from '../start/use-start-run.tsx';
import { arrange, arrangements, type Arrangement } from './arrange.ts';
import { chooseArrangement, useArrangement } from './arrangement-store.ts';
import { NoWorkflows } from './no-workflows.tsx';
import { StatusSummary } from './set-summary.tsx';
import type { SortOrder } from './sort-workflows.ts';
import { keyOfWorkflow, useWorkflowRows, type WorkflowRow } from './use-workflow-rows.ts';
import { WorkflowBulkBar } from './workflow-bulk-bar.tsx';
import { WorkflowFilterBar } from './workflow-filter-bar.tsx';
import { matchesFilter, readFilter } from './workflow-filter.ts';
import { WorkflowTable } from './workflow-table.tsx';
import styles from './workflows.module.css';

/** All workflows of this installation and their status. */
export function WorkflowsPage() {
  const dags = useDags();
  useSystemChanges('dags', queryKeys.dags);
  return (
    <Page title="Workflows" beside={<Count dags={dags.data} />} actions={<NewWorkflowButton />}>
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
      () => (sections ? sections.flatMap((set) => set.rows) : rows).map(keyOfWorkflow),
      [sections, rows],
    ),
  );
  return (
    <>
      <WorkflowFilterBar
        dags={all}
        filter={filter}
        by={by}
        onArrange={(next) => {
          chooseArrangement(next);
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
        <NoMatch hidden={all.length} onClear={() => change({ text: '', tag: '', group: '', status: '' })} />
      )}
      {start.dialog}
    </>
  );
}

/** The sections of rows: from the address, otherwise as stored. */
function useSections(
  rows: readonly WorkflowRow[],
  wanted: string | null,
): { by: Arrangement; sections: readonly TableSection<WorkflowRow>[] | undefined } {
  const { by: left, folded } = useArrangement();
  const by = arrangements.find((one) => one === wanted) ?? left;
  const sets = useMemo(() => (by === 'none' ? undefined : arrange(rows, by)), [rows, by]);
  const sections = useMemo(
    () =>
      sets?.map((set) => ({
        ...set,
        summary: <StatusSummary rows={set.rows} />,
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
