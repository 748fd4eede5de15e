import { containerTable } from '../../model/executors/container.ts';
import { readPullPolicy } from '../container/pull-policy.ts';
import { messageOf } from '../../base/errors.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, placeOf, type Place } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Runs a command in a container. */
export const containerRules: ExecutorRules = {
  sentence: 'Runs a command in a container.',
  table: containerTable,
  command: 'allowed',
  script: 'allowed',
  params: 'refused',
  words: {
    command: 'Program and arguments to run in the container, without a shell.',
    script: 'Script to run in the container. Default interpreter: sh.',
  },
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

interface ConfigPlace {
  readonly action: ExecutorAction;
  /** Of the field of `config` with that name. */
  at(key: string): Place;
}

function checkPlace(action: ExecutorAction, step: Place, report: Report): void {
  const config = findPlace(step, 'config') ?? placeOf(placeOf(step, 'type'), 'config');
  const place: ConfigPlace = { action, at: (key) => placeOf(config, key) };
  const isNamed = names(action, 'containerName');
  const makesOne = names(action, 'image');
  checkTwice(place, report);
  if ((isService(action) || (isNamed && !makesOne)) && !hasWork(action))
    report.error(step, 'The step does nothing in the container. Give it "command" or "script".');
  if (makesOne) checkMade(place, report);
  else if (isNamed) checkExisting(place, report);
}

const names = ({ config, container }: ExecutorAction, key: 'image' | 'containerName'): boolean =>
  config[key] !== undefined || container?.spec[key] !== undefined;

const hasWork = ({ command, argv, script }: ExecutorAction): boolean =>
  command !== undefined || argv !== undefined || script !== undefined;

/** The container does something of its own. */
const isService = ({ container }: ExecutorAction): boolean =>
  (['startup', 'waitFor', 'logPattern'] as const).some((key) => container?.spec[key] !== undefined);

function checkTwice({ action: { config, container }, at }: ConfigPlace, report: Report): void {
  for (const key of ['image', 'containerName'] as const)
    if (config[key] !== undefined && container?.spec[key] !== undefined)
      report.error(at(key), `"${key}" is given in "container" as well. Keep one of them.`);
}

function checkMade({ action: { config }, at }: ConfigPlace, report: Report): void {
  if (config['exec'] !== undefined)
    report.error(
      at('exec'),
      '"exec" is for a command in a container that exists, and the step makes one of an image. Write it under "container".',
    );
  const { pull } = config;
  if (typeof pull !== 'string' || /[$`]/.test(pull)) return;
  try {
    readPullPolicy(pull);
  } catch (thrown) {
    report.error(at('pull'), messageOf(thrown));
  }
}

function checkExisting({ action: { config }, at }: ConfigPlace, report: Report): void {
  for (const key of ['pull', 'platform', 'autoRemove', 'container', 'host', 'network'] as const)
    if (config[key] !== undefined)
      report.error(
        at(key),
        `"${key}" is for a container that is made, and the step runs in one that exists. Add "image", or remove it.`,
      );
}
