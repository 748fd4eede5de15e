import { archiveOperations } from '../../model/executor-tables.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { jqMemory } from '../../model/executor-config.ts';
import { stepTypes } from '../../model/step-types.ts';
import { type Report, findField, type SourceRef, joinPath } from '../source.ts';
import { checkGlob } from '../artifact-names.ts';
import type { StepCheck } from './checks.ts';
import { hasReference } from '../parse-template.ts';

/** Checks a step of type `archive`, with the keys of Dagu. */
export function checkArchiveStep(action: ExecutorAction, step: SourceRef, report: Report): void {
  const { command = '', config } = action;
  const commandRef = findField(step, 'command') ?? step;
  const at = (field: string): SourceRef => {
    const ref = findField(step, 'config') ?? findField(findField(step, 'type') ?? step, 'config');
    return ref === undefined ? step : (findField(ref, field) ?? ref);
  };
  const isKnown = (archiveOperations as readonly string[]).includes(command.trim());
  if (!isKnown && !hasReference(command)) {
    report.error(commandRef, `"command" of an archive step must be one of ${archiveOperations.join(', ')}.`);
  }
  if (command.trim() === 'create') checkCreate(config, at, report);
  else if (isKnown && Array.isArray(config['source']) && config['source'].length !== 1) {
    report.error(at('source'), `"source" must be a single archive for the command "${command.trim()}".`);
  }
  checkGlobs(config, at, report);
  const { format, password } = config;
  if (password !== undefined && typeof format === 'string' && format.startsWith('tar'))
    report.error(at('password'), '"password" is only supported for zip. Remove it, or use "format: zip".');
  for (const [field, [min, max]] of Object.entries(ranges)) {
    const value = config[field];
    if (typeof value === 'number' && (!Number.isInteger(value) || value < min || value > max))
      report.error(at(field), `"${field}" must be a whole number from ${min} to ${max}.`);
  }
}

function checkGlobs(
  config: ExecutorAction['config'],
  at: (field: string) => SourceRef,
  report: Report,
): void {
  for (const field of ['include', 'exclude']) {
    for (const glob of [config[field] ?? []].flat())
      if (typeof glob === 'string' && !hasReference(glob)) checkGlob(at(field), glob, `"${field}"`, report);
  }
}

function checkCreate(
  config: ExecutorAction['config'],
  at: (field: string) => SourceRef,
  report: Report,
): void {
  if (config['destination'] === undefined)
    report.error(
      at('destination'),
      'Missing "destination" in "config". Add the path of the archive to create.',
    );
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  compressionLevel: [-1, 22],
  stripComponents: [0, 1000],
  maxRatio: [1, Number.MAX_SAFE_INTEGER],
  maxEntries: [1, Number.MAX_SAFE_INTEGER],
};

/** Checks a step of type `jq`: one query and one input, unless the query needs none. */
export const checkJqStep: StepCheck = (action, step, report) => {
  checkQuery(action, step, report);
  checkInput(action, step, report);
  checkNames(step, report);
  checkMemory(action, step, report);
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
    report.error(field, `Steps of type "jq" require a query. Example: ${stepTypes.jq.example}.`);
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

/** Checks a step of type `sql`: one query with values, or a script without values. */
export const checkSqlStep: StepCheck = (action, step, report) => {
  checkSource(action, step, report);
  checkReferences(action, step, report);
  checkConfig(action, step, report);
};

function checkSource(
  { command, argv, script, config }: ExecutorAction,
  step: SourceRef,
  report: Report,
): void {
  const ref = findField(step, 'command') ?? step;
  if (argv !== undefined) return report.error(ref, 'A query must be a string, not a list.');
  const querySources = [
    ...(command === undefined || command.trim() === '' ? [] : ['"command"']),
    ...(script === undefined || script.trim() === '' ? [] : ['"script"']),
    ...(config['queryFile'] === undefined ? [] : ['"config.queryFile"']),
  ];
  if (querySources.length === 0)
    report.error(step, `Steps of type "sql" require a query. Example: ${stepTypes.sql.example}.`);
  if (querySources.length > 1)
    report.error(step, `The SQL is set more than once: ${querySources.join(' and ')}. Keep one of them.`);
}

/** Warns about references in SQL text, because an inserted value can change the meaning of the statement. */
function checkReferences(action: ExecutorAction, step: SourceRef, report: Report): void {
  for (const field of ['command', 'script'] as const) {
    const name = findReference(action[field] ?? '');
    if (name === undefined) continue;
    const advice =
      field === 'command'
        ? `Use $1 in the query and "config: { parameters: ['${name}'] }".`
        : 'Use a "command" with "config.parameters" instead.';
    report.error(
      findField(step, field) ?? step,
      `References such as ${name} are not expanded in SQL. ${advice}`,
    );
  }
}

/** Finds the first `${NAME…}`, truncated if it is long. */
function findReference(text: string): string | undefined {
  const start = text.search(/\$\{\s*\w/);
  const end = start < 0 ? -1 : text.indexOf('}', start);
  if (end < 0) return undefined;
  return end - start < 80 ? text.slice(start, end + 1) : `${text.slice(start, start + 80)}…}`;
}

function checkConfig({ script, config }: ExecutorAction, step: SourceRef, report: Report): void {
  const holder = findField(step, 'config') ?? findField(findField(step, 'type') ?? step, 'config') ?? step;
  const at = (field: string): SourceRef => findField(holder, field) ?? holder;
  const { parameters, maxRows, timeout, transaction } = config;
  if (parameters !== undefined && !Array.isArray(parameters) && typeof parameters !== 'string')
    report.error(at('parameters'), '"parameters" must be a list of values for $1, $2 and so on.');
  if (parameters !== undefined && script !== undefined)
    report.error(
      at('parameters'),
      '"parameters" is not supported for scripts. Use a single query in "command" instead.',
    );
  if (transaction !== undefined && script === undefined)
    report.error(at('transaction'), '"transaction" only applies to scripts. Remove it.');
  if (typeof maxRows === 'number' && (!Number.isInteger(maxRows) || maxRows < 1))
    report.error(at('maxRows'), '"maxRows" must be a whole number of at least 1.');
  if (typeof timeout === 'number' && timeout < 0)
    report.error(at('timeout'), '"timeout" must be a number of seconds, or 0 for no timeout.');
}
