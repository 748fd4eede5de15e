import { parseActionReference } from '../../model/executors/action-reference.ts';
import { ghaTable } from '../../model/executors/gha.ts';
import { findField, fieldOf, type SourceRef } from '../source/source-node.ts';
import type { Report } from '../source/report.ts';
import type { ExecutorRules } from './rules.ts';

/** Fields of other engines that have no effect here, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  runner: 'actions run on this machine, not in a runner image',
  artifacts: 'artifact servers are not supported; use files in the working directory instead',
  reuseContainers: 'each run of a Docker action uses a new container',
  containerOptions: 'use "network", "privileged" and "capabilities"',
};

/** Runs an action from a repository or from this machine; its inputs are `params`. */
export const ghaRules: ExecutorRules = {
  sentence: 'GitHub Action, such as owner/action@v1.',
  table: ghaTable,
  command: 'needed',
  script: 'refused',
  params: 'allowed',
  words: { command: 'Action: owner/name@ref or a path. Set inputs in "params".' },
  example: '{type: gha, command: actions/hello-world@v1, params: {who-to-greet: Ada}}',
  check({ command, argv, params = [] }, step, report) {
    if (argv !== undefined)
      report.error(
        fieldOf(step, 'command'),
        '"command" of an action must be a string: owner/name@ref or a path. Set inputs with "params".',
      );
    // A string with references can only be checked when the step starts.
    else if (command !== undefined && !/[$`]/.test(command)) {
      const reference = parseActionReference(command);
      if ('fault' in reference) report.error(fieldOf(step, 'command'), reference.fault);
    }
    const unnamed = params.find(({ name }) => /^\d+$/.test(name));
    if (unnamed !== undefined)
      report.error(
        fieldOf(step, 'params'),
        `Action inputs must have names, but ${JSON.stringify(unnamed.value.slice(0, 60))} has none. Use {name: value}.`,
      );
    checkConfig(findField(fieldOf(step, 'type'), 'config') ?? findField(step, 'config'), report);
  },
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
