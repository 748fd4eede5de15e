import type { ExecutorAction, Step, StepAction } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Report } from '../source/report.ts';
import { isLocalStep } from './remote-steps.ts';
import { findField, fieldOf, type SourceRef } from '../source/source-node.ts';

/** `container` of a workflow: where steps without a type run. */
type Container = Workflow['container'];

/**
 * Applies the `container` of the workflow to a step: commands and scripts without a type of their own, and container
 * steps without an image or container, run in the shared container of the run.
 */
export function applyContainer(step: Step, container: Container): Step {
  if (container === undefined) return step;
  const action = moveAction(step, { isShared: true, spec: container });
  return action === step.action ? step : { ...step, action };
}

function moveAction(
  { action, runsHere }: Step,
  container: NonNullable<ExecutorAction['container']>,
): StepAction {
  if (action.kind === 'executor')
    return action.type === 'container' && !hasOwnTarget(action) ? { ...action, container } : action;
  if (runsHere === true || action.kind === 'dag') return action;
  const moved = { kind: 'executor', type: 'container', config: {}, container } as const;
  switch (action.kind) {
    case 'command':
      return { ...moved, command: action.command };
    case 'argv':
      return { ...moved, argv: action.argv };
    case 'script':
      return {
        ...moved,
        script: action.script,
        ...(action.command === undefined ? {} : { argv: action.command }),
      };
  }
}

const hasOwnTarget = ({ config, container }: ExecutorAction): boolean =>
  [config['image'], config['containerName'], container?.spec.image, container?.spec.containerName].some(
    (name) => name !== undefined,
  );

/** Reports a container step that has no container, and a step in the workflow's container that has host volumes. */
export function checkContainerStep(
  step: SourceRef,
  action: StepAction | undefined,
  container: Container,
  report: Report,
): void {
  if (action?.kind === 'executor' && action.type === 'container' && !hasOwnTarget(action)) {
    if (container === undefined)
      report.error(
        findField(step, 'container') ?? findField(step, 'config') ?? step,
        'The step has no container. Add "image" for a new container, or "containerName" for a running one.',
      );
    if (action.command === undefined && action.argv === undefined && action.script === undefined)
      report.error(step, 'The step has nothing to run in the container. Add "command" or "script".');
  }
  const isPlain = action !== undefined && action.kind !== 'executor' && action.kind !== 'dag';
  const dir = findField(step, 'dir');
  if (container !== undefined && isPlain && dir !== undefined && !isLocalStep(step))
    report.error(
      dir,
      '"dir" is a folder on this machine, but the step runs in the container of the workflow. Use "workingDir" of "container", or "type: command" to run the step locally.',
    );
}

/** Reports `container` of a workflow if neither it nor the base configuration names an image or container. */
export function checkContainer(root: SourceRef, container: Container, report: Report): void {
  const isNamed = container?.image !== undefined || container?.containerName !== undefined;
  if (container !== undefined && !isNamed && findField(root, 'container') !== undefined)
    report.error(
      fieldOf(root, 'container'),
      '"container" has no image. Add "image", such as "image: alpine:3", or "containerName" for a running container.',
    );
}
