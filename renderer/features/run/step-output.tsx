import { Link } from 'wouter';
import { MousePointerClick, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView, StepRunView, AttemptView } from '../../../core/contract/run-views.ts';
import type { Step } from '../../../core/model/step.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { useSubRuns } from '../../api/run-queries.ts';
import { paths } from '../../navigation/address.ts';
import { shortenRunId, isAsking } from '../../format/values.ts';
import { StatusBadge, StatusShape } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { formatDuration } from '../../format/time.ts';
import { Segmented, Select } from '../../ui/choices.tsx';
import { toActionKind } from '../../format/labels.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { LogRef } from '../log/log-line-cache.ts';
import { StreamedLog } from '../log/open-log.tsx';
import { ApprovalStateBadge } from '../approvals/approval-answer.tsx';
import { StepApproval } from '../approvals/step-approval.tsx';
import { TerminalButtons } from '../terminal/terminal-store.tsx';
import styles from './run.module.css';
import { ItemsPanel } from './items-panel.tsx';
import { getAttemptStatus } from './timeline-rows.ts';
import { StepActions } from './step-actions.tsx';
import { findNode, explainStep, ReasonText } from './run-reason.tsx';
import { findDefinition, StepDetailList } from './step-details.tsx';

interface SubRunListProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Links to the runs that a step has started. */
function SubRunList({ run, step }: SubRunListProps) {
  const summaries = useSubRuns(run.name, run.dagRunId, true).data ?? [];
  return (
    <ul className={styles.subRuns} aria-label={`Runs started by ${step.name}`}>
      {step.subRuns.map(({ name, dagRunId }) => {
        const summary = summaries.find((one) => one.name === name && one.dagRunId === dagRunId);
        return (
          <li key={dagRunId}>
            <Link href={paths.run(name, dagRunId)}>
              {name} <code>{shortenRunId(dagRunId)}</code>
            </Link>
            {summary && <StatusBadge status={summary.status} />}
            {summary && <Duration startedAt={summary.startedAt} finishedAt={summary.finishedAt} />}
          </li>
        );
      })}
    </ul>
  );
}

interface StepOutputProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly definition: Step | undefined;
  /** The selected attempt; the newest when undefined. */
  readonly attempt: number | undefined;
  readonly onAttempt: (attempt: number | undefined) => void;
}

/** The output of a step in one attempt, or in each of its items. */
function StepOutput({ run, step, definition, attempt: chosen, onAttempt }: StepOutputProps) {
  const newest = step.attempts.at(-1)?.attempt;
  const attempt =
    step.attempts.find((one) => one.attempt === chosen) ??
    step.attempts.find((one) => one.attempt === newest);
  const end = attempt?.finishedAt === undefined ? undefined : { failed: hasFailed(attempt) };
  const attempts = step.attempts.length > 1 && (
    <AttemptSwitch
      step={step}
      value={attempt?.attempt ?? 1}
      onChange={(value) => onAttempt(value === newest ? undefined : value)}
    />
  );
  if (definition?.parallel !== undefined && attempt) {
    return <ItemsPanel key={attempt.attempt} {...{ run, step, attempt, end }} controls={attempts} />;
  }
  return (
    <>
      {step.subRuns.length > 0 && <SubRunList run={run} step={step} />}
      <StreamedLog
        run={run}
        step={step}
        address={attempt && getAddress(run, step, attempt)}
        end={end}
        controls={
          <>
            {attempts}
            <AttemptNote step={step} attempt={attempt} />
          </>
        }
      />
    </>
  );
}

/**
 * Whether an attempt failed. Attempts of sub-workflows have no exit code; running ones have none of these
 * fields.
 */
const hasFailed = ({ error, exitCode = 0, signal }: AttemptView): boolean =>
  error !== undefined || exitCode !== 0 || signal !== undefined;

const getAddress = (run: RunDetailView, step: StepRunView, { attempt }: AttemptView): LogRef => ({
  name: run.name,
  dagRunId: run.dagRunId,
  step: step.name,
  section: step.section,
  attempt,
});

interface AttemptSwitchProps {
  readonly step: StepRunView;
  readonly value: number;
  readonly onChange: (attempt: number) => void;
}

/** More attempts do not fit side by side. */
const maxVisible = 5;

function AttemptSwitch({ step, value, onChange }: AttemptSwitchProps) {
  const choices = step.attempts.map((attempt, index) => {
    const isLast = index === step.attempts.length - 1;
    const status = isLast && step.status !== 'not_started' ? step.status : getAttemptStatus(attempt);
    const label = `Attempt ${attempt.attempt}`;
    return { value: String(attempt.attempt), label, mark: <StatusShape status={status} />, attempt };
  });
  if (choices.length > maxVisible)
    return (
      <Select
        label="Attempt"
        value={String(value)}
        choices={choices.toReversed().map(({ attempt, ...choice }) => ({
          ...choice,
          label: `${choice.label}${formatSpan(attempt)}`,
        }))}
        onChange={(choice) => onChange(Number(choice))}
      />
    );
  return (
    <Segmented
      label="Attempt"
      value={String(value)}
      choices={choices.map(({ value: number, label, mark }) => ({
        value: number,
        label,
        content: (
          <span className={styles.attempt}>
            {mark} {label}
          </span>
        ),
      }))}
      onChange={(choice) => onChange(Number(choice))}
    />
  );
}

const formatSpan = ({ startedAt, finishedAt }: AttemptView): string =>
  finishedAt === undefined ? '' : `, ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;

function AttemptNote({
  step,
  attempt,
}: {
  readonly step: StepRunView;
  readonly attempt: AttemptView | undefined;
}) {
  const details = [
    attempt?.exitCode !== undefined && `exit ${attempt.exitCode}`,
    attempt?.signal,
    attempt?.worker && `on ${attempt.worker.id}`,
    step.status === 'running' && attempt?.pid !== undefined && `pid ${attempt.pid}`,
  ].filter(Boolean);
  if (details.length === 0) return null;
  return <span className={styles.panelNote}>{details.join(' · ')}</span>;
}

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
