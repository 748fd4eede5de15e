import type { Step, StepAction, ExecutorAction } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { plainStepTypes } from '../../model/step-types.ts';
import { type Report, type SourceRef, findField, getField, getText } from '../source.ts';
import type { AuthoredStep } from '../authored.ts';

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

/** `ssh` of a workflow: the default configuration of steps that run on another host. */
type Ssh = Workflow['ssh'];

/** Whether the step's type, that of a plain command, makes it run on this machine. */
export function runsLocally(type: AuthoredStep['type']): true | undefined {
  const name = typeof type === 'object' ? type.type : type;
  return name !== undefined && name !== '' && plainStepTypes.includes(name) ? true : undefined;
}

/**
 * Applies the `ssh` of the workflow to a step: commands and scripts without a type of their own, and `ssh` steps
 * without a host, run on that host. Credentials for one host are never used for another.
 */
function applySsh(step: Step, ssh: Ssh): Step {
  if (ssh === undefined) return step;
  const action = moveToSsh(step.action, ssh, step.runsLocally === true);
  return action === step.action ? step : { ...step, action };
}

function moveToSsh(action: StepAction, ssh: NonNullable<Ssh>, isLocal: boolean): StepAction {
  if (action.kind === 'executor')
    return action.type === 'ssh' && !hasHost(action.config)
      ? { ...action, config: { ...ssh, ...action.config } }
      : action;
  if (isLocal || action.kind === 'dag') return action;
  const remote = { kind: 'executor', type: 'ssh', config: ssh } as const;
  switch (action.kind) {
    case 'command':
      return { ...remote, command: action.command };
    case 'argv':
      return { ...remote, argv: action.argv };
    case 'script':
      return {
        ...remote,
        script: action.script,
        ...(action.command === undefined ? {} : { argv: action.command }),
      };
  }
}

const hasHost = (config: Readonly<Record<string, unknown>> | undefined): boolean =>
  config?.['host'] !== undefined || config?.['ip'] !== undefined;

/** Reports fields that are missing or not allowed in a step that runs on another host. */
function checkRemoteStep(step: SourceRef, action: StepAction | undefined, ssh: Ssh, report: Report): void {
  if (action === undefined || action.kind === 'dag') return;
  if (action.kind === 'executor') {
    if (action.type === 'ssh' && !hasHost(action.config) && !hasHost(ssh))
      report.error(
        findField(step, 'config') ?? step,
        'The step has no host. Add "config: {host: NAME}", or set "ssh" with a host for the workflow.',
      );
    return;
  }
  if (ssh === undefined || isLocalStep(step)) return;
  const tty = findField(step, 'tty');
  if (tty !== undefined && getText(tty.node) !== 'false')
    report.error(
      tty,
      '"tty" opens a local terminal, but the step runs on the host of "ssh". Remove it, or use "type: command" to run the step locally.',
    );
  const dir = findField(step, 'dir');
  if (dir !== undefined)
    report.error(
      dir,
      '"dir" is a folder on this machine, but the step runs on the host of "ssh". Start the command with "cd", or use "type: command" to run the step locally.',
    );
}

/** Whether the step as written runs on this machine. */
function isLocalStep(step: SourceRef): boolean {
  const type = findField(step, 'type');
  const name = type?.node.kind === 'map' ? findField(type, 'type') : type;
  return runsLocally(name && getText(name.node)) === true;
}

/** Reports `ssh` of a workflow if neither it nor the base configuration names a host. */
function checkSsh(root: SourceRef, ssh: Ssh, report: Report): void {
  if (ssh !== undefined && !hasHost(ssh) && findField(root, 'ssh') !== undefined)
    report.error(getField(root, 'ssh'), '"ssh" has no host. Add "host", such as "host: build.example.com".');
}

/** `container` of a workflow: where steps without a type run. */
type Container = Workflow['container'];

/**
 * Applies the `container` of the workflow to a step: commands and scripts without a type of their own, and container
 * steps without an image or container, run in the shared container of the run.
 */
function applyContainer(step: Step, container: Container): Step {
  if (container === undefined) return step;
  const action = moveToContainer(step, { isShared: true, spec: container });
  return action === step.action ? step : { ...step, action };
}

function moveToContainer(
  { action, runsLocally: isLocal }: Step,
  container: NonNullable<ExecutorAction['container']>,
): StepAction {
  if (action.kind === 'executor')
    return action.type === 'container' && !hasTarget(action) ? { ...action, container } : action;
  if (isLocal === true || action.kind === 'dag') return action;
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

const hasTarget = ({ config, container }: ExecutorAction): boolean =>
  [config['image'], config['containerName'], container?.spec.image, container?.spec.containerName].some(
    (name) => name !== undefined,
  );

/** Reports a container step that has no container, and a step in the workflow's container that has host volumes. */
function checkContainerStep(
  step: SourceRef,
  action: StepAction | undefined,
  container: Container,
  report: Report,
): void {
  if (action?.kind === 'executor' && action.type === 'container' && !hasTarget(action)) {
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
function checkContainer(root: SourceRef, container: Container, report: Report): void {
  const isNamed = container?.image !== undefined || container?.containerName !== undefined;
  if (container !== undefined && !isNamed && findField(root, 'container') !== undefined)
    report.error(
      getField(root, 'container'),
      '"container" has no image. Add "image", such as "image: alpine:3", or "containerName" for a running container.',
    );
}
