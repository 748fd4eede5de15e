import { useState } from 'react';
import type { DryPlanView, DryStepView } from '../../../core/contract/runs/dry.ts';
import { DryConditions, DryRules, DryStep } from './dry-step.tsx';
import { DryDetail, DryFolder, DryNamedValues, DryValueList } from './dry-values.tsx';
import styles from './dry.module.css';

interface DryPlanProps {
  readonly plans: readonly DryPlanView[];
  /** Index of the plan. */
  readonly place: number;
}

/** A workflow: its values, then its steps grouped by when they can run. */
export function DryPlan({ plans, place }: DryPlanProps) {
  const plan = plans[place];
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
  const place = action.kind === 'dag' ? (action.plan ?? parallel?.items?.[0]?.plan) : undefined;
  if (place === undefined) return null;
  const count = parallel?.items?.length ?? 1;
  return (
    <details className={styles.sub} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{count > 1 ? `Steps for the first of ${count} items` : 'Steps'}</summary>
      {/* Plans are shared; expanding all at once could show far more than there are. */}
      {isOpen && <DryPlan plans={plans} place={place} />}
    </details>
  );
}
