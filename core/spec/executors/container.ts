import { containerTable } from '../../model/executors/container.ts';
import { readPullPolicy } from '../container/pull-policy.ts';
import { messageOf } from '../../base/errors.ts';
import type { ExecutorAction } from '../../model/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, placeOf, type Place } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** A command in a container. */
export const containerRules: ExecutorRules = {
  table: containerTable,
  command: 'allowed',
  script: 'allowed',
  params: 'refused',
  example: '{type: container, config: {image: "alpine:3"}, command: [uname, -a]}',
  check(action, step, report) {
    checkWork(action, step, report);
    checkPlace(action, step, report);
  },
};

/** An image has something that it does by itself; a container that exists has not. */
function checkWork({ command, argv, script }: ExecutorAction, step: Place, report: Report): void {
  if (command?.trim() === '' || argv?.length === 0)
    report.error(
      placeOf(step, 'command'),
      '"command" is empty. Write what is run in the container, or remove it.',
    );
  if (script?.trim() === '')
    report.error(
      placeOf(step, 'script'),
      '"script" is empty. Write what is run in the container, or remove it.',
    );
  const dir = findPlace(step, 'dir');
  if (dir !== undefined)
    report.error(
      dir,
      '"dir" is a folder of this machine, and the step runs in a container. Remove it, and write "container: {workingDir: /path}" for a folder there.',
    );
}

function checkPlace(
  { config, container, command, argv, script }: ExecutorAction,
  step: Place,
  report: Report,
): void {
  const beside = findPlace(step, 'config') ?? placeOf(placeOf(step, 'type'), 'config');
  const { image, containerName, exec, pull } = config;
  const ownSpec = container?.spec;
  const hasWork = command !== undefined || argv !== undefined || script !== undefined;
  for (const key of ['image', 'containerName'] as const)
    if (config[key] !== undefined && ownSpec?.[key] !== undefined)
      report.error(placeOf(beside, key), `"${key}" is given in "container" as well. Keep one of them.`);
  const makesOne = image !== undefined || ownSpec?.image !== undefined;
  const isNamed = containerName !== undefined || ownSpec?.containerName !== undefined;
  const isService = ['startup', 'waitFor', 'logPattern'].some(
    (key) => ownSpec?.[key as keyof typeof ownSpec] !== undefined,
  );
  if ((isService || (isNamed && !makesOne)) && !hasWork)
    report.error(step, 'The step does nothing in the container. Give it "command" or "script".');
  if (exec !== undefined && makesOne)
    report.error(
      placeOf(beside, 'exec'),
      '"exec" is for a command in a container that exists, and the step makes one of an image. Write it under "container".',
    );
  if (!makesOne && isNamed)
    for (const key of ['pull', 'platform', 'autoRemove', 'container', 'host', 'network'] as const)
      if (config[key] !== undefined)
        report.error(
          placeOf(beside, key),
          `"${key}" is for a container that is made, and the step runs in one that exists. Add "image", or remove it.`,
        );
  if (typeof pull === 'string' && !/[$`]/.test(pull)) {
    try {
      readPullPolicy(pull);
    } catch (thrown) {
      report.error(placeOf(beside, 'pull'), messageOf(thrown));
    }
  }
}
