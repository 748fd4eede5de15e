import { MousePointerClick } from 'lucide-react';
import { useState } from 'react';
import type { AttemptView, RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { kindOf } from '../../format/step-action.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { ItemsPanel } from '../items/items-panel.tsx';
import type { LogAddress } from '../log/log-book.ts';
import { StreamedLog } from '../log/streamed-log.tsx';
import { StepRerun } from '../rerun/step-rerun.tsx';
import { findNode } from './find-interesting.ts';
import styles from './run.module.css';
import { SubRunList } from './sub-run-list.tsx';

interface StepPanelProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  /** Nothing is run anew from here. */
  readonly isReadOnly?: boolean;
}

/** The selected step: how it stands and what it has written, attempt by attempt. */
export function StepPanel({ run, selected, isReadOnly = false }: StepPanelProps) {
  const step = findNode(run, selected);
  if (!step) return <EmptyState icon={MousePointerClick} title="Select a step to see its log" />;
  return <StepDetails key={`${step.section}:${step.name}`} {...{ run, step, isReadOnly }} />;
}

interface StepDetailsProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly isReadOnly: boolean;
}

function StepDetails({ run, step, isReadOnly }: StepDetailsProps) {
  const [chosen, setChosen] = useState<number>();
  const newest = step.attempts.at(-1)?.attempt;
  const attempt = step.attempts.find((one) => one.attempt === (chosen ?? newest));
  const definition = findStep(run, step);
  const end = attempt?.finishedAt === undefined ? undefined : { failed: hasFailed(attempt) };
  const attempts = step.attempts.length > 1 && (
    <AttemptSwitch step={step} value={attempt?.attempt ?? 1} newest={newest} onChange={setChosen} />
  );
  const Icon = stepIcons[definition === undefined ? 'command' : kindOf(definition.action)];
  return (
    <section className={styles.panel} aria-label={`Step ${step.name}`}>
      <header className={styles.panelHead}>
        <Icon size={16} aria-hidden="true" />
        <h2 title={step.name}>{step.name}</h2>
        <StatusBadge status={step.status} />
        <AttemptNote step={step} attempt={attempt} />
        {step.section === 'step' && !isReadOnly && <StepRerun run={run} step={step.name} />}
      </header>
      {step.error !== undefined && step.status !== 'succeeded' && (
        <p className={styles.panelError} data-status={step.status}>
          {step.error}
        </p>
      )}
      {definition?.parallel !== undefined && attempt ? (
        <ItemsPanel
          key={attempt.attempt}
          run={run}
          step={step}
          attempt={attempt}
          end={end}
          controls={attempts}
        />
      ) : (
        <>
          {step.subRuns.length > 0 && <SubRunList run={run} step={step} />}
          <StreamedLog
            run={run}
            step={step}
            address={attempt && addressOf(run, step, attempt)}
            end={end}
            controls={attempts}
          />
        </>
      )}
    </section>
  );
}

/** Attempts of sub-workflows have no exit code; a running one has nothing of all this. */
const hasFailed = ({ error, exitCode = 0, signal }: AttemptView): boolean =>
  error !== undefined || exitCode !== 0 || signal !== undefined;

const addressOf = (run: RunDetailView, step: StepRunView, { attempt }: AttemptView): LogAddress => ({
  name: run.name,
  dagRunId: run.dagRunId,
  step: step.name,
  section: step.section,
  attempt,
});

const findStep = (run: RunDetailView, { section, name }: StepRunView) =>
  [...(section === 'step' ? run.workflow.steps : Object.values(run.workflow.handlers))].find(
    (step) => step?.name === name,
  );

interface AttemptSwitchProps {
  readonly step: StepRunView;
  readonly value: number;
  readonly newest: number | undefined;
  /** `undefined` means: whichever is newest. */
  readonly onChange: (attempt: number | undefined) => void;
}

function AttemptSwitch({ step, value, newest, onChange }: AttemptSwitchProps) {
  return (
    <Segmented
      label="Attempt"
      value={String(value)}
      choices={step.attempts.map(({ attempt }) => ({ value: String(attempt), label: `Try ${attempt}` }))}
      onChange={(choice) => onChange(Number(choice) === newest ? undefined : Number(choice))}
    />
  );
}

function AttemptNote({
  step,
  attempt,
}: {
  readonly step: StepRunView;
  readonly attempt: AttemptView | undefined;
}) {
  const facts = [
    attempt?.exitCode !== undefined && `exit ${attempt.exitCode}`,
    attempt?.signal,
    step.status === 'running' && attempt?.pid !== undefined && `pid ${attempt.pid}`,
  ].filter(Boolean);
  return <span className={styles.panelNote}>{facts.join(' · ')}</span>;
}
