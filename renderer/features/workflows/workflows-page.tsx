import { FilterX } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { useDags } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { NewWorkflowDrop } from '../new-workflow/new-workflow-drop.tsx';
import { useStartRun } from '../start/use-start-run.tsx';
import { NoWorkflows } from './no-workflows.tsx';
import { listTags, matchesFilter } from './workflow-filter.ts';
import { WorkflowTable } from './workflow-table.tsx';
import styles from './workflows.module.css';

/** All workflows of this installation and how they are doing. */
export function WorkflowsPage() {
  const dags = useDags();
  const [words, setWords] = useState('');
  const [tag, setTag] = useState('');
  const start = useStartRun();
  const tags = useMemo(() => listTags(dags.data ?? []), [dags.data]);
  return (
    <NewWorkflowDrop>
      <Page
        title="Workflows"
        beside={<Count dags={dags.data} />}
        actions={
          <>
            {tags.length > 0 && (
              <Select
                label="Tag"
                value={tag}
                onChange={setTag}
                choices={[
                  { value: '', label: 'All tags' },
                  ...tags.map((value) => ({ value, label: value })),
                ]}
              />
            )}
            <SearchField
              label="Search workflows"
              placeholder="Search workflows"
              value={words}
              onChange={setWords}
            />
            <NewWorkflowButton />
          </>
        }
      >
        <QueryState query={dags} what="The list of workflows">
          {(all) => {
            const shown = all.filter((dag) => matchesFilter(dag, words, tag));
            if (all.length === 0) return <NoWorkflows />;
            if (shown.length > 0)
              return <WorkflowTable dags={shown} pending={start.pending} onRun={start.begin} />;
            return <NoMatch hidden={all.length} onClear={() => (setWords(''), setTag(''))} />;
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
