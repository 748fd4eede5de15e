import type { Step, StepAction } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Report } from '../source/report.ts';
import type { SourceRef } from '../source/source-node.ts';
import { applyContainer, checkContainer, checkContainerStep } from './container-steps.ts';
import { applySsh, checkRemoteStep, checkSsh } from './remote-steps.ts';

/** The workflow's default execution targets of steps. */
type ExecutionTarget = Pick<Workflow, 'container' | 'ssh'>;

/** Applies the execution target of the workflow to a step: in the container, else on the host of `ssh`. */
export const applyTarget = (step: Step, { container, ssh }: ExecutionTarget): Step =>
  applySsh(applyContainer(step, container), ssh);

/** Reports fields that are missing or not allowed where the step runs. */
export function checkStepTarget(
  step: SourceRef,
  action: StepAction | undefined,
  { container, ssh }: ExecutionTarget,
  report: Report,
): void {
  checkContainerStep(step, action, container, report);
  if (container === undefined || action?.kind === 'executor') checkRemoteStep(step, action, ssh, report);
}

/** Reports `container` and `ssh` of a workflow if neither it nor the base configuration names a container or host. */
export function checkWorkflowTargets(
  root: SourceRef,
  { container, ssh }: ExecutionTarget,
  report: Report,
): void {
  checkContainer(root, container, report);
  checkSsh(root, ssh, report);
}
