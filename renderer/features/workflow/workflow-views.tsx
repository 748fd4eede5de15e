import { CalendarPlus } from 'lucide-react';
import type { DagDetailView } from '../../../core/contract/workflows/dags.ts';
import { useQueryParams } from '../../app/address.ts';
import { paths } from '../../app/paths.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { ScheduleView } from '../schedule/schedule-view.tsx';
import { Overview } from './overview/overview.tsx';
import { SpecView } from './spec-view.tsx';
import { VersionsView } from './versions/versions-view.tsx';
import { WorkflowRuns } from './workflow-runs.tsx';

const views = ['overview', 'runs', 'yaml', 'schedule', 'versions'] as const;
type View = (typeof views)[number];

const hasTimes = ({ schedule }: DagDetailView): boolean =>
  Object.values(schedule).some((expressions) => expressions.length > 0);

interface WorkflowViewsProps {
  readonly dag: DagDetailView;
  readonly mayEdit: boolean;
}

/** The views of a workflow, selected in the address. An invalid workflow opens with its text. */
export function WorkflowViews({ dag, mayEdit }: WorkflowViewsProps) {
  const [query, change] = useQueryParams();
  const { workflow } = dag;
  const offered = views.filter((view) => view !== 'overview' || workflow !== undefined);
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
          content: hasTimes(dag) ? (
            <ScheduleView dag={dag} />
          ) : (
            <NoSchedule fileName={dag.fileName} mayEdit={mayEdit} />
          ),
        },
        { id: 'versions', label: 'Versions', content: <VersionsView dag={dag} mayEdit={mayEdit} /> },
      ]}
    />
  );
}

function NoSchedule({ fileName, mayEdit }: { readonly fileName: string; readonly mayEdit: boolean }) {
  return (
    <EmptyState icon={CalendarPlus} title="No schedule">
      <p>This workflow only runs manually or through the API.</p>
      {mayEdit && (
        <LinkButton href={paths.editor(fileName)} icon={CalendarPlus}>
          Add schedule
        </LinkButton>
      )}
    </EmptyState>
  );
}
