import { plainStepTypes } from '../../model/executors/plain-types.ts';
import type { Step, StepAction } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { AuthoredStep } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, textOf, type SourceRef } from '../source/source-node.ts';

/** `ssh` of a workflow: the default configuration of steps that run on another host. */
type Ssh = Workflow['ssh'];

/** Whether the step's type, that of a plain command, makes it run on this machine. */
export function runsHere(type: AuthoredStep['type']): true | undefined {
  const name = typeof type === 'object' ? type.type : type;
  return name !== undefined && name !== '' && plainStepTypes.includes(name) ? true : undefined;
}

/**
 * Applies the `ssh` of the workflow to a step: commands and scripts without a type of their own, and `ssh` steps
 * without a host, run on that host. Credentials for one host are never used for another.
 */
export function applySsh(step: Step, ssh: Ssh): Step {
  if (ssh === undefined) return step;
  const action = moveAction(step.action, ssh, step.runsHere === true);
  return action === step.action ? step : { ...step, action };
}

function moveAction(action: StepAction, ssh: NonNullable<Ssh>, isLocal: boolean): StepAction {
  if (action.kind === 'executor')
    return action.type === 'ssh' && !hasOwnHost(action.config)
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

const hasOwnHost = (config: Readonly<Record<string, unknown>> | undefined): boolean =>
  config?.['host'] !== undefined || config?.['ip'] !== undefined;

/** Reports fields that are missing or not allowed in a step that runs on another host. */
export function checkRemoteStep(
  step: SourceRef,
  action: StepAction | undefined,
  ssh: Ssh,
  report: Report,
): void {
  if (action === undefined || action.kind === 'dag') return;
  if (action.kind === 'executor') {
    if (action.type === 'ssh' && !hasOwnHost(action.config) && !hasOwnHost(ssh))
      report.error(
        findField(step, 'config') ?? step,
        'The step has no host. Add "config: {host: NAME}", or set "ssh" with a host for the workflow.',
      );
    return;
  }
  if (ssh === undefined || isLocalStep(step)) return;
  const tty = findField(step, 'tty');
  if (tty !== undefined && textOf(tty.node) !== 'false')
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
export function isLocalStep(step: SourceRef): boolean {
  const type = findField(step, 'type');
  const name = type?.node.kind === 'map' ? findField(type, 'type') : type;
  return runsHere(name && textOf(name.node)) === true;
}

/** Reports `ssh` of a workflow if neither it nor the base configuration names a host. */
export function checkSsh(root: SourceRef, ssh: Ssh, report: Report): void {
  if (ssh !== undefined && !hasOwnHost(ssh) && findField(root, 'ssh') !== undefined)
    report.error(fieldOf(root, 'ssh'), '"ssh" has no host. Add "host", such as "host: build.example.com".');
}
