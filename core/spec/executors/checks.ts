import { parseActionReference } from '../../model/executor-tables.ts';
import type { ExecutorType } from '../../model/step-types.ts';
import { inputNamePattern } from '../../model/approval.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { findField, getField, type SourceRef, type Report, getKeyStart, getText } from '../source.ts';
import { checkArchiveStep, checkJqStep, checkSqlStep } from './data-steps.ts';
import { checkContainerStep } from './container.ts';
import { checkHttpStep } from './http.ts';
import { hasReference } from '../parse-template.ts';

/** Checks a step of type `mail`. The configuration contains the whole mail; the mail server is set in the workflow. */
const checkMailStep: StepCheck = ({ config }, step, report) => {
  const { to } = config;
  if (!Array.isArray(to) || to.some((address) => String(address).trim() !== '')) return;
  const field = findField(step, 'config') ?? getField(getField(step, 'type'), 'config');
  report.error(getField(field, 'to'), '"to" is empty. Add at least one recipient address.');
};

/** Checks a step of type `ssh`. */
const checkSshStep: StepCheck = ({ config, command, argv, script }, step, report) => {
  if (command?.trim() === '' || argv?.length === 0)
    report.error(getField(step, 'command'), '"command" is empty. Add a command, or remove the field.');
  else if (script?.trim() === '')
    report.error(getField(step, 'script'), '"script" is empty. Add a script, or remove the field.');
  else if (command === undefined && argv === undefined && script === undefined)
    report.error(step, 'The step has nothing to run on the host. Add "command" or "script".');
  if (config['host'] !== undefined && config['ip'] !== undefined)
    report.error(
      getField(getField(step, 'config'), 'ip'),
      '"ip" and "host" mean the same. Remove one of them.',
    );
  const dir = findField(step, 'dir');
  if (dir !== undefined)
    report.error(
      dir,
      '"dir" is a folder on this machine and has no effect over SSH. Start the command with "cd" instead.',
    );
};

/** Fields of other engines that have no effect here, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  runner: 'actions run on this machine, not in a runner image',
  artifacts: 'artifact servers are not supported; use files in the working directory instead',
  reuseContainers: 'each run of a Docker action uses a new container',
  containerOptions: 'use "network", "privileged" and "capabilities"',
};

/** Checks a step of type `gha`; the inputs of the action are `params`. */
const checkActionStep: StepCheck = ({ command, argv, params = [] }, step, report) => {
  if (argv !== undefined)
    report.error(
      getField(step, 'command'),
      '"command" of an action must be a string: owner/name@ref or a path. Set inputs with "params".',
    );
  // A string with references can only be checked when the step starts.
  else if (command !== undefined && !hasReference(command)) {
    const reference = parseActionReference(command);
    if ('fault' in reference) report.error(getField(step, 'command'), reference.fault);
  }
  const unnamed = params.find(({ name }) => /^\d+$/.test(name));
  if (unnamed !== undefined)
    report.error(
      getField(step, 'params'),
      `Action inputs must have names, but ${JSON.stringify(unnamed.value.slice(0, 60))} has none. Use {name: value}.`,
    );
  checkConfig(findField(getField(step, 'type'), 'config') ?? findField(step, 'config'), report);
};

function checkConfig(config: SourceRef | undefined, report: Report): void {
  if (config === undefined) return;
  for (const [name, reason] of Object.entries(withoutEffect)) {
    const field = findField(config, name);
    if (field !== undefined) report.warning(field, `"${name}" has no effect: ${reason}. Remove it.`);
  }
  const capabilities = findField(config, 'capabilities');
  if (capabilities === undefined) return;
  const isSound =
    capabilities.node.kind === 'map' &&
    [...capabilities.node.entries].every(
      ([key, { node }]) => (key === 'add' || key === 'drop') && node.kind === 'list',
    );
  if (!isSound)
    report.error(
      capabilities,
      '"capabilities" must be a map with the lists "add" and "drop", such as {add: [NET_ADMIN]}.',
    );
}

/** Fields that an approval step cannot have, with the reason. */
const disallowedFields: Readonly<Record<string, string>> = {
  parallel:
    '"parallel" is not supported for steps of type "approval". Add an approval step before or after the parallel step.',
  repeatPolicy: '"repeatPolicy" is not supported for steps of type "approval". Remove it.',
  workerSelector:
    '"workerSelector" is not supported for steps of type "approval", which run in the engine. Remove it.',
};

/** Checks a step of type `approval`. */
const checkApprovalStep: StepCheck = ({ config }, step, report) => {
  for (const [field, message] of Object.entries(disallowedFields)) {
    const fieldRef = findField(step, field);
    if (fieldRef !== undefined) report.errorAt(getKeyStart(step.node, field), fieldRef.path, message);
  }
  const fieldRef = findConfig(step);
  if (typeof config['question'] === 'string' && config['question'].trim() === '')
    report.error(getField(fieldRef, 'question'), '"question" is empty. Enter a question.');
  const inputs = readNames(config, 'inputs', fieldRef, report);
  checkRequired(readNames(config, 'required', fieldRef, report), inputs, report);
};

/** Returns the source of `config`, which is next to `type` or inside it. */
function findConfig(step: SourceRef): SourceRef {
  const type = findField(step, 'type');
  return findField(step, 'config') ?? (type && findField(type, 'config')) ?? step;
}

/** Reads the names in a field with their places. Reports invalid and duplicate names. */
function readNames(
  config: ExecutorAction['config'],
  field: 'inputs' | 'required',
  parent: SourceRef,
  report: Report,
): ReadonlyMap<string, SourceRef> {
  const names = new Map<string, SourceRef>();
  const fieldRef = findField(parent, field);
  if (config[field] === undefined || fieldRef === undefined) return names;
  const refs =
    fieldRef.node.kind === 'list'
      ? fieldRef.node.items.map((_, index) => getField(fieldRef, index))
      : [fieldRef];
  for (const each of refs) {
    const name = getText(each.node);
    const shown = JSON.stringify(name.slice(0, 60));
    if (!new RegExp(inputNamePattern).test(name))
      report.error(
        each,
        `Invalid input name ${shown}. Use at most 64 letters, digits and "_", and do not start with a digit.`,
      );
    else if (names.has(name)) report.error(each, `Duplicate input ${shown}. Remove one.`);
    else names.set(name, each);
  }
  return names;
}

function checkRequired(
  required: ReadonlyMap<string, SourceRef>,
  inputs: ReadonlyMap<string, SourceRef>,
  report: Report,
): void {
  for (const [name, fieldRef] of required)
    if (!inputs.has(name))
      report.error(fieldRef, `Required input "${name}" is not in "inputs". Add it there, or remove it here.`);
}

/** Checks a step whose fields and configuration are valid by its registration. */
export type StepCheck = (action: ExecutorAction, step: SourceRef, report: Report) => void;

/** Rules of step types that their registration cannot express. */
export const stepChecks: Readonly<Partial<Record<ExecutorType, StepCheck>>> = {
  approval: checkApprovalStep,
  archive: checkArchiveStep,
  container: checkContainerStep,
  gha: checkActionStep,
  http: checkHttpStep,
  jq: checkJqStep,
  mail: checkMailStep,
  sql: checkSqlStep,
  ssh: checkSshStep,
};
