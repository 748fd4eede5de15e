import { useState } from 'react';
import { CircleCheck, CircleX, Terminal } from 'lucide-react';
import type { DryFindingView, DryPlanView, DryStepView, DryRunView } from '../../../core/contract/dry.ts';
import { pluralize } from '../../../core/base/text.ts';
import { SeverityMark } from '../../ui/status.tsx';
import { useDryRun } from '../../api/workflow-queries.ts';
import { Button } from '../../ui/button.tsx';
import { QueryState } from '../../ui/state.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import styles from './start.module.css';
import {
  DryConditions,
  DryRules,
  DryStep,
  DryDetail,
  DryFolder,
  DryNamedValues,
  DryValueList,
} from './dry-run-step.tsx';

/** Findings of the dry run, most severe first. */
function DryFindings({ findings }: { readonly findings: readonly DryFindingView[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.map((finding, index) => {
        const step = finding.step === undefined ? [] : [`step ${finding.step}`];
        const location = [finding.workflow, ...step, ...(finding.field === undefined ? [] : [finding.field])];
        return (
          // Findings do not change while they are shown.
          <li key={index}>
            <SeverityMark severity={finding.severity} />
            <span>
              {finding.message} <i className={styles.note}>{location.join(', ')}</i>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

interface DryPlanProps {
  readonly plans: readonly DryPlanView[];
  /** Index of the plan. */
  readonly index: number;
}

/** A workflow: its values, then its steps grouped by when they can run. */
function DryPlan({ plans, index }: DryPlanProps) {
  const plan = plans[index];
  if (plan === undefined) return null;
  const waves = Map.groupBy(plan.steps, ({ wave }) => wave ?? 0);
  return (
    <div className={styles.plan}>
      <PlanValues plan={plan} />
      {Array.from(waves, ([wave, steps]) => (
        <Group key={wave} title={waveTitle(wave, steps.length)} steps={steps} plans={plans} plan={plan} />
      ))}
      {plan.handlers.length > 0 && <Group title="Handlers" steps={plan.handlers} plans={plans} plan={plan} />}
    </div>
  );
}

const waveTitle = (wave: number, count: number): string =>
  `Wave ${wave}${count > 1 ? `: ${count} parallel steps` : ''}`;

function PlanValues({ plan }: { readonly plan: DryPlanView }) {
  const { params, env, dotenv, secrets, conditions, rules } = plan;
  const shown = secrets.map(({ name, found }) => ({ name, value: found ? '*******' : 'no value' }));
  return (
    <div>
      <DryNamedValues label="Parameters" values={params} />
      <DryNamedValues label="Environment" values={env} />
      {dotenv && (
        <DryDetail label=".env file">
          <code>{dotenv.file}</code>
          <DryValueList values={dotenv.variables} />
        </DryDetail>
      )}
      <DryNamedValues label="Secrets" values={shown} />
      <DryDetail label="Working directory">
        <DryFolder folder={plan.workingDir} />
      </DryDetail>
      <DryDetail label="Log directory">
        <DryFolder folder={plan.logDir} />
      </DryDetail>
      <DryConditions conditions={conditions} />
      <DryRules rules={rules} />
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly steps: readonly DryStepView[];
  readonly plan: DryPlanView;
  readonly plans: readonly DryPlanView[];
}

function Group({ title, steps, plan, plans }: GroupProps) {
  return (
    <section className={styles.wave}>
      <h3>{title}</h3>
      <ul>
        {steps.map((step) => (
          <DryStep key={step.name} step={step} runDir={plan.workingDir.value}>
            <SubPlan step={step} plans={plans} />
          </DryStep>
        ))}
      </ul>
    </section>
  );
}

/** For parallel items, only the first plan: the others differ in their values. */
function SubPlan({ step, plans }: { readonly step: DryStepView; readonly plans: readonly DryPlanView[] }) {
  const [isOpen, setOpen] = useState(false);
  const { action, parallel } = step;
  const planIndex = action.kind === 'dag' ? (action.plan ?? parallel?.items?.[0]?.plan) : undefined;
  if (planIndex === undefined) return null;
  const count = parallel?.items?.length ?? 1;
  return (
    <details className={styles.sub} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{count > 1 ? `Steps for the first of ${count} items` : 'Steps'}</summary>
      {/* Plans are shared; expanding all at once could show far more than there are. */}
      {isOpen && <DryPlan plans={plans} index={planIndex} />}
    </details>
  );
}

interface DryRunPanelProps {
  readonly fileName: string;
  /** As after `--` on the command line; empty for the defaults. */
  readonly params: string;
  /** Text that replaces the file. */
  readonly spec?: string;
}

/** Previews a run of a workflow with its values; nothing is executed. */
export function DryRunPanel({ fileName, params, spec }: DryRunPanelProps) {
  const [runSubstitutions, setRunSubstitutions] = useState(false);
  const dryRun = useDryRun({
    fileName,
    ...(spec !== undefined && { spec }),
    ...(params !== '' && { params }),
    ...(runSubstitutions && { runSubstitutions }),
  });
  return (
    <ScrollArea className={styles.panel} aria-label="Dry run result">
      <QueryState query={dryRun} what="The dry run">
        {(view) => (
          <>
            <VerificationResult view={view} onRunSubstitutions={() => setRunSubstitutions(true)} />
            <DryFindings findings={view.findings} />
            <DryPlan plans={view.plans} index={0} />
          </>
        )}
      </QueryState>
    </ScrollArea>
  );
}

interface VerdictProps {
  readonly view: DryRunView;
  readonly onRunSubstitutions: () => void;
}

function VerificationResult({ view, onRunSubstitutions }: VerdictProps) {
  const { runnable, ranSubstitutions, findings } = view;
  const Icon = runnable ? CircleCheck : CircleX;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const sentence = runnable ? 'No problems found' : `${pluralize(errors, 'error')} found`;
  return (
    <div className={styles.verdict} data-runnable={runnable} role="status">
      <Icon size={16} aria-hidden="true" />
      <span>
        {sentence} {ranSubstitutions ? 'Only command substitutions were run.' : 'No commands were run.'}
      </span>
      {!ranSubstitutions && hasCommands(view) && (
        <Button size="small" icon={Terminal} onPress={onRunSubstitutions}>
          Run command substitutions
        </Button>
      )}
    </div>
  );
}

const hasCommands = ({ plans }: DryRunView): boolean =>
  plans.some(({ params, env, steps, handlers }) =>
    [...params, ...env, ...steps, ...handlers].some(
      ({ unresolved }) => unresolved?.some((part) => part.startsWith('`')) === true,
    ),
  );
