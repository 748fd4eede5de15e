import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { SetStepStatusMenu } from './mark-step.tsx';
import { StepRerun } from './step-rerun.tsx';
import styles from './step-rerun.module.css';

interface StepActionsProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Actions on one step of a run. */
export function StepActions({ run, step }: StepActionsProps) {
  return (
    <span className={styles.place}>
      <SetStepStatusMenu run={run} step={step} />
      <StepRerun run={run} step={step.name} />
    </span>
  );
}
