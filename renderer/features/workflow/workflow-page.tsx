import { PenLine } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { RunStatus } from '../../../core/model/status.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { isActive, useDag, useRun } from '../../api/queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { WorkflowGraph } from '../../graph/workflow-graph.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { RunButton } from '../start/run-button.tsx';
import { ScheduleView } from '../schedule/schedule-view.tsx';
import { SpecView } from './spec-view.tsx';
import { WorkflowFacts } from './workflow-facts.tsx';
import { WorkflowRuns } from './workflow-runs.tsx';

/** One workflow: what it does, its text, its history. */
export function WorkflowPage({ fileName }: { readonly fileName: string }) {
  const dag = useDag(fileName);
  const may = useMay('dags.updateSpec');
  return (
    <Page
      title={dag.data?.name ?? fileName}
      beside={<TagList tags={dag.data?.tags ?? []} />}
      below={dag.data && <WorkflowFacts dag={dag.data} />}
      above={<Breadcrumb trail={[{ label: 'Workflows', href: paths.workflows }]} />}
      actions={
        dag.data && (
          <>
            {may.allowed && (
              <LinkButton href={paths.editor(fileName)} icon={PenLine}>
                Edit
              </LinkButton>
            )}
            <RunButton
              fileName={fileName}
              params={dag.data.workflow?.params ?? []}
              isDisabled={!dag.data.valid}
            />
          </>
        )
      }
    >
      <QueryState query={dag} what="This workflow">
        {(data) => <WorkflowViews dag={data} />}
      </QueryState>
    </Page>
  );
}

type View = 'graph' | 'yaml' | 'runs' | 'schedule';

const hasTimes = ({ schedule }: DagDetailView): boolean =>
  Object.values(schedule).some((expressions) => expressions.length > 0);

function WorkflowViews({ dag }: { readonly dag: DagDetailView }) {
  const [chosen, setView] = useState<View>('graph');
  const isGone = (chosen === 'graph' && !dag.workflow) || (chosen === 'schedule' && !hasTimes(dag));
  const view = isGone ? (dag.workflow ? 'graph' : 'yaml') : chosen;
  // Those of the base configuration belong to no line of this file.
  const own = dag.diagnostics.filter(({ file }) => file === dag.file);
  return (
    <>
      {!dag.valid && <InvalidNotice dag={dag} />}
      <Tabs
        label="Views of the workflow"
        value={view}
        onChange={setView}
        tabs={[
          ...(dag.workflow
            ? [
                {
                  id: 'graph' as const,
                  label: 'Graph',
                  content: <LiveGraph dag={dag} workflow={dag.workflow} />,
                },
              ]
            : []),
          {
            id: 'yaml',
            label: 'YAML',
            note: own.length > 0 ? own.length : undefined,
            content: <SpecView spec={dag.spec} diagnostics={own} />,
          },
          { id: 'runs', label: 'Runs', content: <WorkflowRuns name={dag.name} /> },
          ...(hasTimes(dag)
            ? [{ id: 'schedule' as const, label: 'Schedule', content: <ScheduleView dag={dag} /> }]
            : []),
        ]}
      />
    </>
  );
}

function InvalidNotice({ dag }: { readonly dag: DagDetailView }) {
  const first = dag.diagnostics.find(({ severity }) => severity === 'error');
  if (first !== undefined && first.file !== dag.file)
    return (
      <Notice tone="error">
        <strong>No workflow can run until the base configuration is corrected.</strong>
        {` ${first.file}, line ${first.line}: ${first.message}`}
      </Notice>
    );
  return (
    <Notice tone="error">
      <strong>This workflow cannot run until its file is corrected.</strong>
      {first && ` Line ${first.line}: ${first.message}`}
    </Notice>
  );
}

interface LiveGraphProps {
  readonly dag: DagDetailView;
  readonly workflow: Workflow;
}

/** The graph, coloured by the newest run while that is going on. */
function LiveGraph({ dag, workflow }: LiveGraphProps) {
  const [, navigate] = useLocation();
  const { name = '', dagRunId = '' } = dag.latestRun ?? {};
  const active = isActive(dag.latestRun);
  const run = useRun(name, dagRunId, active).data;
  const shown = active ? run : undefined;
  const open = useCallback(() => navigate(paths.run(name, dagRunId)), [navigate, name, dagRunId]);
  return (
    <WorkflowGraph
      workflow={workflow}
      run={shown}
      legend={shown && <LatestMark status={shown.status} />}
      onSelect={shown && open}
    />
  );
}

function LatestMark({ status }: { readonly status: RunStatus }) {
  return (
    <>
      <StatusShape status={status} />
      Live: the run that is going on. Select a step to open it.
    </>
  );
}
