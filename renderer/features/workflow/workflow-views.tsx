import type { DagDetailView } from '../../../core/contract/dags.ts';
import { useRuns } from '../../api/run-queries.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { LoadMore, IdleQuote } from '../../ui/list/list-end.tsx';
import { useQueryParams } from '../../navigation/address.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { RunTable } from '../runs/run-table.tsx';
import { ScheduleView } from '../schedules/schedule-view.tsx';
import { Overview } from './overview.tsx';
import { StepGrid } from './step-grid.tsx';
import { SpecView } from './spec-view.tsx';
import { VersionsView } from './versions-view.tsx';

/** The runs of one workflow. */
function WorkflowRuns({ name }: { readonly name: string }) {
  const runs = useRuns({ name });
  return (
    <QueryState query={runs} what="The runs">
      {({ pages }) => {
        const all = pages.flatMap(({ dagRuns }) => dagRuns);
        if (all.length === 0)
          return (
            <EmptyState illustration="runs" title="No runs yet">
              <IdleQuote />
            </EmptyState>
          );
        return <RunTable runs={all} withName={false} foot={<LoadMore query={runs} />} />;
      }}
    </QueryState>
  );
}

const views = ['overview', 'grid', 'runs', 'yaml', 'schedule', 'versions'] as const;
type View = (typeof views)[number];

interface WorkflowViewsProps {
  readonly dag: DagDetailView;
  readonly mayEdit: boolean;
}

/** The views of a workflow, selected in the address. An invalid workflow opens with its text. */
export function WorkflowViews({ dag, mayEdit }: WorkflowViewsProps) {
  const [query, change] = useQueryParams();
  const { workflow } = dag;
  const offered = views.filter((view) => (view !== 'overview' && view !== 'grid') || workflow !== undefined);
  const first: View = workflow ? 'overview' : 'yaml';
  const view = offered.find((one) => one === query.get('tab')) ?? first;
  // Diagnostics of the base configuration have no line in this file.
  const fileDiagnostics = dag.diagnostics.filter(({ file }) => file === dag.file);
  return (
    <Tabs
      label="Workflow views"
      value={view}
      onChange={(tab) => change({ tab: tab === first ? '' : tab, version: '' })}
      tabs={[
        ...(workflow
          ? [
              {
                id: 'overview' as const,
                label: 'Overview',
                content: <Overview dag={dag} workflow={workflow} />,
              },
              {
                id: 'grid' as const,
                label: 'Grid',
                content: <StepGrid name={dag.name} workflow={workflow} />,
              },
            ]
          : []),
        { id: 'runs', label: 'Runs', content: <WorkflowRuns name={dag.name} /> },
        {
          id: 'yaml',
          label: 'YAML',
          note: fileDiagnostics.length > 0 ? fileDiagnostics.length : undefined,
          content: <SpecView spec={dag.spec} diagnostics={fileDiagnostics} />,
        },
        {
          id: 'schedule',
          label: 'Schedule',
          content: <ScheduleView dag={dag} />,
        },
        { id: 'versions', label: 'Versions', content: <VersionsView dag={dag} mayEdit={mayEdit} /> },
      ]}
    />
  );
}
