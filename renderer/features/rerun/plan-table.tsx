import type { RerunPlanView } from '../../../core/contract/runs/reruns.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import styles from './rerun.module.css';

/** The plan of a rerun per step; steps that run again are first, because they are what the user agrees to. */
export function PlanTable({ plan }: { readonly plan: RerunPlanView }) {
  const again = plan.steps.filter(({ action }) => action === 'run');
  const keptSteps = plan.steps.filter(({ action }) => action === 'keep');
  return (
    <div className={styles.plan}>
      <PlanSection title={`Rerun (${again.length.toLocaleString('en')})`} steps={again} />
      {plan.handlers.length > 0 && (
        <p className={styles.handlers}>Handlers also rerun: {plan.handlers.join(', ')}.</p>
      )}
      {keptSteps.length > 0 && (
        <PlanSection title={`Keep (${keptSteps.length.toLocaleString('en')})`} steps={keptSteps} />
      )}
    </div>
  );
}

interface PlanSectionProps {
  readonly title: string;
  readonly steps: RerunPlanView['steps'];
}

function PlanSection({ title, steps }: PlanSectionProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {steps.map(({ name, status, reason }) => (
          <li key={name}>
            <span className={styles.step} dir="auto" title={name}>
              {name}
            </span>
            <StatusBadge status={status} />
            <span className={styles.reason} title={reason}>
              {reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
