import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useRun } from '../../api/queries.ts';
import { WorkflowGraph } from '../../graph/workflow-graph.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { HostNotes } from './host-notes.tsx';
import { StepPanel } from './step-panel.tsx';
import { RunReason } from './reason/run-reason.tsx';
import { RunSpec } from './values/run-spec.tsx';
import { StepTable } from './step-table.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { UsagePane } from './usage/usage-pane.tsx';
import { useInteresting } from './use-interesting.ts';
import { useRunAddress } from './use-run-address.ts';
import { RunValues } from './values/run-values.tsx';

/** The views of a run at the left, the chosen step at the right. */
export function RunViews({ run }: { readonly run: RunDetailView }) {
  const { choice, setView, select, setAttempt } = useRunAddress();
  const { view, node, inRun, attempt } = choice;
  // Until the user chooses, the log shows what is worth looking at: what failed, else what runs.
  const interesting = useInteresting(run);
  const selected = node ?? interesting;
  const own = inRun === undefined ? selected : undefined;
  return (
    <>
      <RunReason run={run} onSelect={select} />
      <HostNotes run={run} />
      <Split
        id="run.panel"
        label="Size of the step panel"
        direction="columns"
        initial={0.54}
        first={
          <Tabs
            label="Views of the run"
            value={view}
            onChange={setView}
            tabs={[
              {
                id: 'graph',
                label: 'Graph',
                content: <WorkflowGraph workflow={run.workflow} run={run} selected={own} onSelect={select} />,
              },
              {
                id: 'timeline',
                label: 'Timeline',
                content: <Timeline run={run} selected={selected} selectedRun={inRun} onSelect={select} />,
              },
              {
                id: 'steps',
                label: 'Steps',
                note: run.steps.length.toLocaleString('en'),
                content: <StepTable run={run} selected={own} onSelect={select} />,
              },
              { id: 'values', label: 'Values', content: <RunValues run={run} /> },
              { id: 'usage', label: 'Resources', content: <UsagePane run={run} /> },
              { id: 'spec', label: 'YAML', content: <RunSpec run={run} /> },
            ]}
          />
        }
        second={
          inRun === undefined ? (
            <StepPanel {...{ run, selected, attempt }} onSelect={select} onAttempt={setAttempt} />
          ) : (
            <PanelOfSubRun {...{ inRun, selected, attempt }} onSelect={select} onAttempt={setAttempt} />
          )
        }
      />
    </>
  );
}

type SelectStep = ReturnType<typeof useRunAddress>['select'];

interface PanelOfSubRunProps {
  readonly inRun: { readonly name: string; readonly dagRunId: string };
  readonly selected: Parameters<SelectStep>[0] | undefined;
  readonly attempt: number | undefined;
  readonly onSelect: SelectStep;
  readonly onAttempt: (attempt: number | undefined) => void;
}

/** A step of a run below the one on the page. */
function PanelOfSubRun({ inRun, selected, attempt, onSelect, onAttempt }: PanelOfSubRunProps) {
  const query = useRun(inRun.name, inRun.dagRunId);
  return (
    <QueryState query={query} what="The run of this step">
      {(run) => (
        <StepPanel
          run={run}
          selected={selected}
          attempt={attempt}
          onAttempt={onAttempt}
          isNested
          onSelect={(node, deeper) => onSelect(node, deeper ?? inRun)}
        />
      )}
    </QueryState>
  );
}
