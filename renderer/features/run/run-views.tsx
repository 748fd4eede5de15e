import { memo, useCallback, useMemo, useState } from 'react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { Notice, QueryState } from '../../ui/state.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useRun } from '../../api/run-queries.ts';
import { WorkflowGraph, type NodeRef } from '../../graph/workflow-graph.tsx';
import { Split, useIsNarrow } from '../../ui/splitter.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { NotifyBanner } from '../notifications/notify-banner.tsx';
import { ApprovalNotice } from '../approvals/step-approval.tsx';
import { RunExpectations } from '../expectations/expectations.tsx';
import { findNode, RunReason } from './run-reason.tsx';
import { RunFiles } from './run-files.tsx';
import { RunNote } from './run-note.tsx';
import {
  MissingRun,
  CurrentRunProvider,
  useCurrentRun,
  useNodeToShow,
  useRunPageParams,
  type RunView,
} from './current-run.tsx';
import { StepPanel } from './step-output.tsx';
import { StepTable } from './step-table.tsx';
import { Timeline } from './timeline.tsx';
import { UsagePane } from './usage-pane.tsx';
import { RunSpec, RunValues } from './run-values.tsx';

/** Notes about the host of a run: whether one drives it, what delays it, and its failovers so far. */
export function HostNotes({ run: { host, waiting, recoveries } }: { readonly run: RunDetailView }) {
  return (
    <>
      {waiting !== undefined && <Notice tone="error">Run is waiting. {waiting}</Notice>}
      {host?.gone !== undefined && (
        <Notice tone="warning">
          Engine process {host.pid} on {host.hostname} was lost: {host.gone}. Running steps continue. Another
          engine will recover the run.
        </Notice>
      )}
      {recoveries.map(({ at, by, from, reason }) => (
        <Notice key={at} tone="warning">
          Recovered <RelativeTime iso={at} /> by {by} from {from}: {reason}.
        </Notice>
      ))}
    </>
  );
}

type Address = ReturnType<typeof useRunPageParams>;

/** The views of a run on the left, the selected step on the right. */
export function RunViews({ run }: { readonly run: RunDetailView }) {
  const { choice, setView, select, setAttempt } = useRunPageParams();
  const { view, node, inRun, attempt } = choice;
  const isNarrow = useIsNarrow();
  // Until the user selects a step, the log is that of the most relevant one: failed, otherwise running.
  const interesting = useNodeToShow(run);
  const selected = node ?? interesting;
  const [answering, setAnswering] = useState(0);
  const answer = useCallback(
    (asked: NodeRef, answeredRun?: RunRef) => {
      select(asked, answeredRun);
      setAnswering((before) => before + 1);
    },
    [select],
  );
  const count = run.steps.length;
  // Stable elements while only steps change, so that only the parts that read the run rerender.
  const views = useMemo(
    () => <Views {...{ view, setView, selected, inRun, select, count }} />,
    [view, setView, selected, inRun, select, count],
  );
  const panel = useMemo(
    () =>
      inRun === undefined ? (
        <CurrentPanel {...{ selected, attempt, answering }} onSelect={select} onAttempt={setAttempt} />
      ) : (
        <SubRunPanel {...{ inRun, selected, attempt, answering }} onSelect={select} onAttempt={setAttempt} />
      ),
    [inRun, selected, attempt, answering, select, setAttempt],
  );
  return (
    <CurrentRunProvider value={run}>
      <RunNote run={run} />
      <RunReason run={run} onSelect={select} />
      <RunExpectations run={run} />
      {run.status === 'failed' && run.parent === undefined && <NotifyBanner workflow={run.name} />}
      <ApprovalNotice run={run} onAnswer={answer} />
      <HostNotes run={run} />
      <Split
        id="run.panel"
        label="Step panel size"
        direction={isNarrow ? 'rows' : 'columns'}
        initial={0.54}
        first={views}
        second={panel}
      />
    </CurrentRunProvider>
  );
}

interface ViewsProps extends Pick<Address, 'setView' | 'select'> {
  readonly view: RunView;
  readonly selected: NodeRef | undefined;
  readonly inRun: RunRef | undefined;
  /** Number of steps. */
  readonly count: number;
}

function Views({ view, setView, selected, inRun, select, count }: ViewsProps) {
  const choice = { selected, inRun, onSelect: select };
  return (
    <Tabs
      label="Run views"
      value={view}
      onChange={setView}
      tabs={[
        { id: 'graph', label: 'Graph', content: <GraphView {...choice} /> },
        { id: 'timeline', label: 'Timeline', content: <TimelineView {...choice} /> },
        {
          id: 'steps',
          label: 'Steps',
          note: count.toLocaleString('en'),
          content: <StepsView {...choice} />,
        },
        { id: 'values', label: 'Values', content: <WholeRunView component={RunValues} /> },
        { id: 'files', label: 'Files', content: <WholeRunView component={RunFiles} /> },
        { id: 'usage', label: 'Resources', content: <WholeRunView component={UsagePane} /> },
        { id: 'spec', label: 'YAML', content: <WholeRunView component={RunSpec} /> },
      ]}
    />
  );
}

interface ChoiceProps {
  readonly selected: NodeRef | undefined;
  readonly inRun: RunRef | undefined;
  readonly onSelect: Address['select'];
}

function GraphView({ selected, inRun, onSelect }: ChoiceProps) {
  const run = useCurrentRun();
  return (
    <WorkflowGraph
      workflow={run.workflow}
      run={run}
      selected={inRun === undefined ? selected : undefined}
      onSelect={onSelect}
    />
  );
}

const TimelineView = ({ selected, inRun, onSelect }: ChoiceProps) => (
  <Timeline run={useCurrentRun()} selected={selected} selectedRun={inRun} onSelect={onSelect} />
);

const StepsView = ({ selected, inRun, onSelect }: ChoiceProps) => (
  <StepTable
    run={useCurrentRun()}
    selected={inRun === undefined ? selected : undefined}
    onSelect={onSelect}
  />
);

/** A view that needs only the run. */
const WholeRunView = ({
  component: View,
}: {
  readonly component: React.ComponentType<{ readonly run: RunDetailView }>;
}) => <View run={useCurrentRun()} />;

interface PanelProps {
  readonly selected: NodeRef | undefined;
  readonly attempt: number | undefined;
  readonly answering: number;
  readonly onSelect: Address['select'];
  readonly onAttempt: Address['setAttempt'];
}

/** The panel of a started step does not change when another step does. */
const StablePanel = memo(
  StepPanel,
  (before, after) =>
    before.selected === after.selected &&
    before.attempt === after.attempt &&
    before.answering === after.answering &&
    before.onSelect === after.onSelect &&
    before.onAttempt === after.onAttempt &&
    before.run.status === after.run.status &&
    hasStarted(before) &&
    findNode(before.run, before.selected) === findNode(after.run, after.selected),
);

const hasStarted = ({ run, selected }: { run: RunDetailView; selected: NodeRef | undefined }): boolean =>
  (findNode(run, selected)?.attempts.length ?? 0) > 0;

const CurrentPanel = (props: PanelProps) => <StablePanel run={useCurrentRun()} {...props} />;

/** A step of a sub-run of the shown run. */
function SubRunPanel({ inRun, onSelect, ...props }: PanelProps & { readonly inRun: RunRef }) {
  const query = useRun(inRun.name, inRun.dagRunId);
  return (
    <QueryState query={query} what="The sub-run" missing={<MissingRun {...inRun} />}>
      {(run) => (
        <StepPanel
          run={run}
          {...props}
          isNested
          onSelect={(node, deeper) => onSelect(node, deeper ?? inRun)}
        />
      )}
    </QueryState>
  );
}
