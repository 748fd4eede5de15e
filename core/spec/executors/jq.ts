import { jqMemory, jqTable } from '../../model/executors/jq.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findField, joinPath, type SourceRef } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Steps of type `jq`: one query and one input, unless the query needs none. */
export const jqRules: ExecutorRules = {
  sentence: 'Queries JSON with jq.',
  table: jqTable,
  command: 'allowed',
  script: 'allowed',
  params: 'refused',
  words: { command: 'jq query.', script: 'JSON to query.' },
  example: `{ type: jq, command: ".name", config: { input: "\${RESULT}" } }`,
  check(action, step, report) {
    checkQuery(action, step, report);
    checkInput(action, step, report);
    checkNames(step, report);
    checkMemory(action, step, report);
  },
};

/** Checks the names of `args`, which is next to `type` or inside it. */
function checkNames(step: SourceRef, report: Report): void {
  const type = findField(step, 'type');
  const config = findField(step, 'config') ?? (type && findField(type, 'config'));
  const args = config && findField(config, 'args');
  if (args?.node.kind !== 'map') return;
  for (const [name, { keyStart }] of args.node.entries) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    const message = `Invalid jq variable name ${JSON.stringify(name.slice(0, 60))}. Use letters, digits and "_".`;
    report.errorAt(keyStart, joinPath(args.path, name), message);
  }
}

function checkMemory({ config }: ExecutorAction, step: SourceRef, report: Report): void {
  const { maxMemoryMiB: mib } = config;
  if (typeof mib !== 'number') return;
  if (Number.isInteger(mib) && mib >= jqMemory.min && mib <= jqMemory.max) return;
  const field = findField(step, 'config');
  report.error(
    (field && findField(field, 'maxMemoryMiB')) ?? step,
    `"maxMemoryMiB" must be a whole number from ${jqMemory.min} to ${jqMemory.max} (got ${mib}).`,
  );
}

function checkQuery({ command, argv, config }: ExecutorAction, step: SourceRef, report: Report): void {
  const field = findField(step, 'command') ?? step;
  const hasCommand = command !== undefined && command.trim() !== '';
  if (argv !== undefined) report.error(field, 'A query must be a string, not a list.');
  else if (hasCommand && config.queryFile !== undefined)
    report.error(field, 'The query is set in both "command" and "config.queryFile". Keep one of them.');
  else if (!hasCommand && config.queryFile === undefined)
    report.error(field, `Steps of type "jq" require a query. Example: ${jqRules.example}.`);
}

function checkInput({ script, config }: ExecutorAction, step: SourceRef, report: Report): void {
  const querySources = [
    ...(script === undefined ? [] : ['"script"']),
    ...(config.input === undefined ? [] : ['"config.input"']),
    ...(config.inputFile === undefined ? [] : ['"config.inputFile"']),
  ];
  if (querySources.length > 1)
    report.error(step, `The input is set more than once: ${querySources.join(' and ')}. Keep one of them.`);
  const mayLack = config.nullInput !== undefined && config.nullInput !== false;
  if (querySources.length === 0 && !mayLack) {
    report.error(
      step,
      'The query has no input. Add "script", "config.input" or "config.inputFile", or set "config.nullInput" to true.',
    );
  }
}
