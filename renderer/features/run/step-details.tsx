import type { StepRunView, RunDetailView } from '../../../core/contract/run-views.ts';
import type { DryStepView } from '../../../core/contract/dry.ts';
import type { StepAction, Step } from '../../../core/model/step.ts';
import { formatDuration, formatFull } from '../../format/time.ts';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { kindNames, toActionKind } from '../../format/labels.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { DryNamedValues } from '../start/dry-run-step.tsx';
import { getAttemptStatus, getReadyTime } from './timeline-rows.ts';
import { NameValueTable, ValueSection, JsonValue, findPlannedStep, useRunPlan } from './run-values.tsx';
import styles from './run.module.css';
import { ReasonText } from './run-reason.tsx';

/** Each attempt of a step: start, wait since the previous one, result, and log files. */
function AttemptTable({ step }: { readonly step: StepRunView }) {
  return (
    <NameValueTable
      rows={step.attempts.map((attempt, index) => {
        const isLast = index === step.attempts.length - 1;
        const status = isLast && step.status !== 'not_started' ? step.status : getAttemptStatus(attempt);
        const before = step.attempts[index - 1]?.finishedAt;
        const pause = before === undefined ? 0 : Date.parse(attempt.startedAt) - Date.parse(before);
        const ending = attempt.exitCode === undefined ? attempt.signal : `exit ${attempt.exitCode}`;
        return [
          `Attempt ${attempt.attempt}`,
          <div key="facts" className={styles.valuesAttempt}>
            <div>
              <StatusBadge status={status} />
              <Duration startedAt={attempt.startedAt} finishedAt={attempt.finishedAt} />
              {ending !== undefined && <span>{ending}</span>}
              {attempt.worker && (
                <span className={styles.note}>
                  on {attempt.worker.id} ({attempt.worker.host})
                </span>
              )}
              {attempt.specHash !== undefined && (
                <span className={styles.note} title={`SHA-256 of its text: ${attempt.specHash}`}>
                  earlier version {attempt.specHash.slice(0, 7)}
                </span>
              )}
              {attempt.pid !== undefined && <span className={styles.note}>pid {attempt.pid}</span>}
            </div>
            <div className={styles.note}>
              {formatFull(attempt.startedAt)}
              {pause > 0 && `, ${formatDuration(pause)} after the previous attempt`}
            </div>
            {attempt.error !== undefined && <div dir="auto">{attempt.error}</div>}
            <code className={styles.note}>{attempt.stdoutFile}</code>
          </div>,
        ] as const;
      })}
    />
  );
}

interface StepCommandProps {
  readonly action: StepAction;
  /** The step with its values; absent if unknown. */
  readonly planned: DryStepView | undefined;
}

/** The command of a step, with the values of this run if known. */
function StepCommand({ action, planned }: StepCommandProps) {
  const text = planned === undefined ? actionText(action) : plannedText(planned.action);
  return (
    <ValueSection
      title="Command"
      note={
        <>
          {planned === undefined ? 'as written' : 'with values from this run'}
          <CopyButton label="Copy command" text={text} />
        </>
      }
    >
      <pre className={styles.command}>{text}</pre>
      {planned && <DryNamedValues label="with" values={planned.variables} />}
    </ValueSection>
  );
}

const withParams = (dag: string, params: readonly { name: string; value: string }[]): string =>
  [dag, ...params.map(({ name, value }) => `${name}=${value}`)].join('\n  ');

/** Returns the full text that an action executes, as written. */
export function actionText(action: StepAction): string {
  switch (action.kind) {
    case 'command':
      return action.command;
    case 'argv':
      return action.argv.join(' ');
    case 'script':
      return [...(action.command ? [`# ${action.command.join(' ')}`] : []), action.script].join('\n');
    case 'dag':
      return withParams(action.dag, action.params);
    case 'executor': {
      const config = Object.keys(action.config).length > 0 ? JSON.stringify(action.config, undefined, 2) : '';
      return [action.command ?? action.argv?.join(' '), action.script, config].filter(Boolean).join('\n');
    }
  }
}

function plannedText(action: DryStepView['action']): string {
  switch (action.kind) {
    case 'command':
    case 'script':
      return action.text;
    case 'argv':
      return action.argv.map(({ value }) => (/\s|^$/.test(value) ? JSON.stringify(value) : value)).join(' ');
    case 'dag':
      return withParams(action.dag, action.params);
    case 'executor':
      return action.fields.map(({ name, value }) => `${name}: ${value}`).join('\n');
  }
}

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
    <ScrollArea className={styles.valuesPane} aria-label={`Details of ${step.name}`}>
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
            ['Type', definition && kindNames[toActionKind(definition.action)]],
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
    definition && step.section === 'step' ? getReadyTime(definition.depends, ends, start) : undefined;
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
    ['Ran on', formatWorker(step)],
    ['Exit code', step.exitCode ?? step.signal],
  ] as const;
}

/** The worker of the latest attempt; most steps run on the host of the run. */
function formatWorker({ attempts }: StepRunView): string | undefined {
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
