import type { Step, StepAction } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Report } from '../source/report.ts';
import type { Place } from '../source/source-node.ts';
import { applyContainer, checkContainer, checkContainerStep } from './container-steps.ts';
import { applySsh, checkRemoteStep, checkSsh } from './remote-steps.ts';

/** Where a workflow has its steps run when they do not say it themselves. */
type Places = Pick<Workflow, 'container' | 'ssh'>;

/** A step where its workflow has it run: in the container, else on the host of `ssh`. */
export const placeStep = (step: Step, { container, ssh }: Places): Step =>
  applySsh(applyContainer(step, container), ssh);

/** Reports what a step lacks where it runs, and what makes no sense there. */
export function checkPlacedStep(
  step: Place,
  action: StepAction | undefined,
  { container, ssh }: Places,
  report: Report,
): void {
  checkContainerStep(step, action, container, report);
  if (container === undefined || action?.kind === 'executor') checkRemoteStep(step, action, ssh, report);
}

/** Reports places of a workflow that name none, neither itself nor by the base configuration. */
export function checkPlaces(root: Place, { container, ssh }: Places, report: Report): void {
  checkContainer(root, container, report);
  checkSsh(root, ssh, report);
}
