import { MousePointerClick, Workflow } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { paths } from '../../navigation/address.ts';
import { isAsking } from '../../format/values.ts';
import { toActionKind } from '../../format/labels.ts';
import { stepIcons } from '../../graph/step-card.tsx';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { ApprovalStateBadge } from '../approvals/approval-answer.tsx';
import { StepApproval } from '../approvals/step-approval.tsx';
import { StepActions } from './step-actions.tsx';
import { TerminalButtons } from '../terminal/terminal-store.tsx';
import { findNode, explainStep, ReasonText } from './run-reason.tsx';
import { findDefinition, StepDetailList } from './step-details.tsx';
import { StepOutput } from './step-output.tsx';
import styles from './run.module.css';

interface StepPanelProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  /** Hides rerun actions. */
  readonly isReadOnly?: boolean;
  /** Whether the run is a sub-run of the page's run. */
  readonly isNested?: boolean;
  /** The shown attempt, if the caller controls it; the newest when undefined. */
  readonly attempt?: number | undefined;
  readonly onAttempt?: (attempt: number | undefined) => void;
  /** Counts requests to answer the step's approval; each opens it with the focus in the form. */
  readonly answering?: number;
  /** Goes to another step; without it, steps are not links. */
  readonly onSelect?: (node: NodeRef, run?: RunRef) => void;
}

/** The selected step: its status and reason, its output per attempt, and its details. */
export function StepPanel(props: StepPanelProps) {
  const step = findNode(props.run, props.selected);
  if (!step) return <EmptyState icon={MousePointerClick} title="Select a step to see its log" />;
  const key = [props.run.dagRunId, step.section, step.name, props.answering].join(':');
  return <StepDetails key={key} {...props} step={step} />;
}

function StepDetails(props: StepPanelProps & { readonly step: StepRunView }) {
  const { run, step, isReadOnly = false, isNested = false, answering = 0, onSelect } = props;
  const asks = step.approval !== undefined;
  const [chosen, setView] = useState<'approval' | 'log' | 'facts'>();
  const view = chosen ?? (asks ? 'approval' : 'log');
  const local = useState<number>();
  const [attempt, onAttempt] = props.onAttempt ? [props.attempt, props.onAttempt] : local;
  const definition = findDefinition(run, step);
  const Icon = stepIcons[definition === undefined ? 'command' : toActionKind(definition.action)];
  const isHidden = isShownAbove(props) || (view === 'approval' && isAsking(step));
  const reason = isHidden ? [] : explainStep(run, step);
  return (
    <section className={styles.panel} aria-label={`Step ${step.name}`}>
      {isNested && <SubRunPath run={run} />}
      <header className={styles.panelHead}>
        <div className={styles.panelName}>
          <Icon size={16} aria-hidden="true" />
          <h2 dir="auto" title={step.name}>
            {step.name}
          </h2>
        </div>
        <StatusBadge status={step.status} />
        {isAsking(step) && <ApprovalStateBadge state="open" />}
        <TerminalButtons location={{ name: run.name, dagRunId: run.dagRunId, step: step.name }} />
        {step.section === 'step' && !isReadOnly && <StepActions run={run} step={step} />}
      </header>
      {reason.length > 0 && (
        <p className={styles.panelError} data-status={step.status}>
          <ReasonText segments={reason} onSelect={onSelect} />
        </p>
      )}
      <Tabs
        label="Step views"
        value={view}
        onChange={setView}
        tabs={[
          ...(asks
            ? [
                {
                  id: 'approval' as const,
                  label: 'Approval',
                  content: <StepApproval {...{ run, step, definition }} isAsked={answering > 0} />,
                },
              ]
            : []),
          {
            id: 'log',
            label: definition?.parallel === undefined ? 'Log' : 'Items and log',
            content: <StepOutput {...{ run, step, definition }} attempt={attempt} onAttempt={onAttempt} />,
          },
          {
            id: 'facts',
            label: 'Details',
            content: <StepDetailList {...{ run, step, definition, isReadOnly }} onSelect={onSelect} />,
          },
        ]}
      />
    </section>
  );
}

/** Whether the notice at the top of the page shows the step's error, as the cause of the run's failure. */
const isShownAbove = ({ run, step, isNested, isReadOnly }: StepPanelProps & { readonly step: StepRunView }) =>
  isNested !== true &&
  isReadOnly !== true &&
  step.error !== undefined &&
  run.error?.includes(step.error) === true;

/** The path to the step, if it belongs to a sub-run. */
function SubRunPath({ run }: { readonly run: RunDetailView }) {
  return (
    <p className={styles.nested}>
      <Workflow size={14} aria-hidden="true" />
      <span>Sub-run</span>
      <Link href={paths.run(run.name, run.dagRunId)}>
        {run.name} <code>{run.dagRunId}</code>
      </Link>
    </p>
  );
}
