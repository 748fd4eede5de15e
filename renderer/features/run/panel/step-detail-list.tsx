import type { RunDetailView, StepRunView } from '../../../../core/contract/runs/run-views.ts';
import type { Step } from '../../../../core/model/workflow/step.ts';
import { formatDuration } from '../../../format/duration.ts';
import { kindNames, kindOf } from '../../../format/step-action.ts';
import { formatFull } from '../../../format/time.ts';
import type { NodeRef } from '../../../graph/workflow-graph.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { StatusBadge } from '../../../ui/status/status-badge.tsx';
import { Duration } from '../../../ui/time/duration.tsx';
import { ReasonText } from '../reason/reason-text.tsx';
import { readyTimeOf } from '../timeline/segments.ts';
import { NameValueTable, ValueSection } from '../values/fact-table.tsx';
import { JsonValue } from '../values/json-value.tsx';
import { findPlannedStep, useRunPlan } from '../values/use-run-plan.ts';
import styles from '../values/values.module.css';
import { AttemptTable } from './attempt-table.tsx';
import { StepCommand } from './step-command.tsx';

interface StepDetailListProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly definition: Step | undefined;
  /** Whether the run is not in the history. */
  readonly isReadOnly: boolean;
  readonly onSelect: ((node: NodeRef) => void) | undefined;
}

/** Finds the definition of a step of a run. */
export const findDefinition = (run: RunDetailView, { section, name }: StepRunView): Step | undefined =>
  [...(section === 'step' ? run.workflow.steps : Object.values(run.workflow.handlers))].find(
    (step) => step?.name === name,
  );

/** Details of a step: its action and values, its attempts, and its outputs. */
export function StepDetailList({ run, step, definition, isReadOnly, onSelect }: StepDetailListProps) {
  const { plan } = useRunPlan(run, !isReadOnly);
  const planned = findPlannedStep(plan, step);
  return (
    <ScrollArea className={styles.pane} aria-label={`Details of ${step.name}`}>
      {definition && <StepCommand action={definition.action} planned={planned} />}
      <ValueSection title="Timing">
        <NameValueTable rows={listTimeline(run, step, definition)} />
      </ValueSection>
      {step.output && (
        <ValueSection title="Output">
          <NameValueTable
            rows={[
              [step.output.name, <JsonValue key="value" name={step.output.name} value={step.output.value} />],
            ]}
          />
        </ValueSection>
      )}
      {step.attempts.length > 0 && (
        <ValueSection title="Attempts">
          <AttemptTable step={step} />
        </ValueSection>
      )}
      <ValueSection title="Definition">
        <NameValueTable
          rows={[
            ['Type', definition && kindNames[kindOf(definition.action)]],
            ['ID', definition?.id],
            ['Depends on', definition && <Dependencies key="depends" {...{ run, definition, onSelect }} />],
            ['Working directory', planned ? <code key="dir">{planned.dir.value}</code> : definition?.dir],
            ...(planned?.env ?? definition?.env ?? []).map(
              ({ name, value }) => [name, <code key={name}>{value}</code>] as const,
            ),
            [
              'Settings',
              planned &&
                planned.rules.length > 0 &&
                planned.rules.map((rule) => <div key={rule}>{rule}</div>),
            ],
          ]}
        />
      </ValueSection>
    </ScrollArea>
  );
}

function listTimeline(run: RunDetailView, step: StepRunView, definition: Step | undefined) {
  const ends = new Map(
    run.steps.flatMap(({ name, finishedAt }) =>
      finishedAt === undefined ? [] : [[name, Date.parse(finishedAt)] as const],
    ),
  );
  const start = Date.parse(run.startedAt ?? run.createdAt);
  const ready =
    definition && step.section === 'step' ? readyTimeOf(definition.depends, ends, start) : undefined;
  const waited = ready === undefined || step.startedAt === undefined ? 0 : Date.parse(step.startedAt) - ready;
  return [
    ['Started', step.startedAt !== undefined && formatFull(step.startedAt)],
    ['Finished', step.finishedAt !== undefined && formatFull(step.finishedAt)],
    [
      'Duration',
      step.startedAt !== undefined && (
        <Duration key="took" startedAt={step.startedAt} finishedAt={step.finishedAt} />
      ),
    ],
    ['Waited', waited > 0 && formatDuration(waited)],
    ['Ran on', describeWorker(step)],
    ['Exit code', step.exitCode ?? step.signal],
  ] as const;
}

/** The worker of the latest attempt; most steps run on the host of the run. */
function describeWorker({ attempts }: StepRunView): string | undefined {
  const worker = attempts.at(-1)?.worker;
  return worker && `${worker.id} on ${worker.host}, since ${formatFull(worker.since)}`;
}

interface DependenciesProps {
  readonly run: RunDetailView;
  readonly definition: Step;
  readonly onSelect: ((node: NodeRef) => void) | undefined;
}

function Dependencies({ run, definition, onSelect }: DependenciesProps) {
  const steps = run.steps.filter(({ name }) => definition.depends.includes(name));
  if (steps.length === 0) return <span className={styles.note}>none</span>;
  return steps.map(({ name, status }) => (
    <div key={name} className={styles.dependency}>
      <ReasonText segments={[{ text: name, node: { section: 'step', name } }]} onSelect={onSelect} />{' '}
      <StatusBadge status={status} />
    </div>
  ));
}
