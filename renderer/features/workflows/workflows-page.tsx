import { FilterX } from 'lucide-react';
import { useMemo } from 'react';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { useDags } from '../../api/queries.ts';
import { useAddressQuery } from '../../app/address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { useSelection } from '../../ui/list/use-selection.ts';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { NewWorkflowDrop } from '../new-workflow/new-workflow-drop.tsx';
import { useStartRun } from '../start/use-start-run.tsx';
import { NoWorkflows } from './no-workflows.tsx';
import { WorkflowBulkBar } from './workflow-bulk-bar.tsx';
import { WorkflowFilterBar } from './workflow-filter-bar.tsx';
import { matchesFilter, readFilter } from './workflow-filter.ts';
import { WorkflowTable } from './workflow-table.tsx';
import styles from './workflows.module.css';

/** All workflows of this installation and how they are doing. */
export function WorkflowsPage() {
  const dags = useDags();
  const start = useStartRun();
  const [params, change] = useAddressQuery();
  const filter = useMemo(() => readFilter(params), [params]);
  const shown = useMemo(
    () => (dags.data ?? []).filter((dag) => matchesFilter(dag, filter)),
    [dags.data, filter],
  );
  const selection = useSelection(useMemo(() => shown.map(({ fileName }) => fileName), [shown]));
  const clear = (): void => change({ text: '', tag: '', group: '', status: '' });
  return (
    <NewWorkflowDrop>
      <Page title="Workflows" beside={<Count dags={dags.data} />} actions={<NewWorkflowButton />}>
        <QueryState query={dags} what="The list of workflows">
          {(all) => {
            if (all.length === 0) return <NoWorkflows />;
            return (
              <>
                <WorkflowFilterBar dags={all} filter={filter} onChange={change} />
                <WorkflowBulkBar
                  dags={shown.filter(({ fileName }) => selection.keys.has(fileName))}
                  selection={selection}
                />
                {shown.length > 0 ? (
                  <WorkflowTable
                    dags={shown}
                    pending={start.pending}
                    onRun={start.begin}
                    selection={selection}
                  />
                ) : (
                  <NoMatch hidden={all.length} onClear={clear} />
                )}
              </>
            );
          }}
        </QueryState>
        {start.dialog}
      </Page>
    </NewWorkflowDrop>
  );
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
    <EmptyState icon={FilterX} title="Nothing matches">
      <p>The filter hides {hidden === 1 ? 'the only workflow' : `all ${hidden} workflows`}.</p>
      <Button onPress={onClear}>Clear the filter</Button>
    </EmptyState>
  );
}
