import { useState } from 'react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useRun } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { WorkflowGraph, type NodeRef } from '../../graph/workflow-graph.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { findInteresting } from './find-interesting.ts';
import { HostNotes } from './host-notes.tsx';
import { RunActions } from './run-actions.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunReason } from './run-reason.tsx';
import styles from './run.module.css';
import { StepPanel } from './step-panel.tsx';
import { StepTable } from './step-table.tsx';
import { Timeline } from './timeline.tsx';

interface RunPageProps {
  readonly name: string;
  readonly dagRunId: string;
}

/** One run, live: its graph, its steps, its logs. */
export function RunPage({ name, dagRunId }: RunPageProps) {
  const run = useRun(name, dagRunId);
  return (
    <Page
      above={<Breadcrumb trail={listTrail(run.data)} />}
      title={name}
      beside={
        <>
          {run.data && <StatusBadge status={run.data.status} look="pill" />}
          <span className={styles.runId}>
            <code>{dagRunId}</code>
            <CopyButton label="Copy the run id" text={dagRunId} />
          </span>
        </>
      }
      below={run.data && <RunFacts run={run.data} />}
      actions={run.data && <RunActions run={run.data} />}
    >
      <QueryState query={run} what="This run">
        {(data) => <RunViews run={data} />}
      </QueryState>
    </Page>
  );
}

function listTrail(run: RunDetailView | undefined): { label: string; href: string }[] {
  const trail: { label: string; href: string }[] = [{ label: 'Runs', href: paths.runs }];
  if (run?.root && run.root.dagRunId !== run.parent?.dagRunId && run.root.dagRunId !== run.dagRunId) {
    trail.push({ label: run.root.name, href: paths.run(run.root.name, run.root.dagRunId) });
  }
  if (run?.parent)
    trail.push({ label: run.parent.name, href: paths.run(run.parent.name, run.parent.dagRunId) });
  return trail;
}

type View = 'steps' | 'timeline';

function RunViews({ run }: { readonly run: RunDetailView }) {
  const [view, setView] = useState<View>('steps');
  const [chosen, setChosen] = useState<NodeRef>();
  // Until the user chooses, the log shows what is worth looking at: what failed, else what runs.
  const selected = chosen ?? findInteresting(run);
  const list = { run, selected, onSelect: setChosen };
  return (
    <>
      <RunReason run={run} onSelect={setChosen} />
      <HostNotes run={run} />
      <Split
        id="run.graph"
        label="Size of the graph"
        direction="rows"
        initial={0.46}
        first={<WorkflowGraph workflow={run.workflow} run={run} selected={selected} onSelect={setChosen} />}
        second={
          <Split
            id="run.log"
            label="Size of the step list"
            direction="columns"
            initial={0.5}
            first={
              <Tabs
                label="Views of the steps"
                value={view}
                onChange={setView}
                tabs={[
                  { id: 'steps', label: 'Steps', note: run.steps.length, content: <StepTable {...list} /> },
                  { id: 'timeline', label: 'Timeline', content: <Timeline {...list} /> },
                ]}
              />
            }
            second={<StepPanel run={run} selected={selected} />}
          />
        }
      />
    </>
  );
}
