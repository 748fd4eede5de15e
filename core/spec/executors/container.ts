import { readPullPolicy } from '../container.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { type Report, findField, getField, type SourceRef } from '../source.ts';
import type { StepCheck } from './checks.ts';
import { hasReference } from '../parse-template.ts';

/** Checks a step of type `container`. */
export const checkContainerStep: StepCheck = (action, step, report) => {
  checkWork(action, step, report);
  checkTarget(action, step, report);
};

/** Checks that the step has work: an image has a default command, an existing container has not. */
function checkWork({ command, argv, script }: ExecutorAction, step: SourceRef, report: Report): void {
  if (command?.trim() === '' || argv?.length === 0)
    report.error(getField(step, 'command'), '"command" is empty. Add a command, or remove the field.');
  if (script?.trim() === '')
    report.error(getField(step, 'script'), '"script" is empty. Add a script, or remove the field.');
  const dir = findField(step, 'dir');
  if (dir !== undefined)
    report.error(
      dir,
      '"dir" is a folder on this machine and has no effect in a container. Use "container: {workingDir: /path}" instead.',
    );
}

interface ConfigPosition {
  readonly action: ExecutorAction;
  /** Returns the source of a field of `config`. */
  at(key: string): SourceRef;
}

function checkTarget(action: ExecutorAction, step: SourceRef, report: Report): void {
  const config = findField(step, 'config') ?? getField(getField(step, 'type'), 'config');
  const position: ConfigPosition = { action, at: (key) => getField(config, key) };
  const isNamed = names(action, 'containerName');
  const makesOne = names(action, 'image');
  rejectDuplicateContainer(position, report);
  if ((isService(action) || (isNamed && !makesOne)) && !hasWork(action))
    report.error(step, 'The step has nothing to run in the container. Add "command" or "script".');
  if (makesOne) checkNewContainer(position, report);
  else if (isNamed) checkExistingContainer(position, report);
}

const names = ({ config, container }: ExecutorAction, key: 'image' | 'containerName'): boolean =>
  config[key] !== undefined || container?.spec[key] !== undefined;

const hasWork = ({ command, argv, script }: ExecutorAction): boolean =>
  command !== undefined || argv !== undefined || script !== undefined;

/** Whether the container runs a program of its own. */
const isService = ({ container }: ExecutorAction): boolean =>
  (['startup', 'waitFor', 'logPattern'] as const).some((key) => container?.spec[key] !== undefined);

function rejectDuplicateContainer(
  { action: { config, container }, at }: ConfigPosition,
  report: Report,
): void {
  for (const key of ['image', 'containerName'] as const)
    if (config[key] !== undefined && container?.spec[key] !== undefined)
      report.error(at(key), `"${key}" is also set in "container". Keep only one of them.`);
}

function checkNewContainer({ action: { config }, at }: ConfigPosition, report: Report): void {
  if (config['exec'] !== undefined)
    report.error(
      at('exec'),
      '"exec" only applies to existing containers, but this step creates one from an image. Move the settings to "container".',
    );
  const { pull } = config;
  if (typeof pull !== 'string' || hasReference(pull)) return;
  try {
    readPullPolicy(pull);
  } catch (error) {
    report.error(at('pull'), getErrorMessage(error));
  }
}

function checkExistingContainer({ action: { config }, at }: ConfigPosition, report: Report): void {
  for (const key of ['pull', 'platform', 'autoRemove', 'container', 'host', 'network'] as const)
    if (config[key] !== undefined)
      report.error(
        at(key),
        `"${key}" only applies to new containers, but this step uses an existing one. Add "image", or remove "${key}".`,
      );
}
