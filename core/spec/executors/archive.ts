import { archiveOperations, archiveTable } from '../../model/executors/archive.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { checkGlob } from '../rules/artifact-names.ts';
import { findField, type SourceRef } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Steps of type `archive`, with the keys of Dagu. */
export const archiveRules: ExecutorRules = {
  sentence: 'Creates, extracts or lists an archive.',
  table: archiveTable,
  command: 'needed',
  script: 'refused',
  params: 'refused',
  words: { command: 'Operation: extract, create or list.' },
  example: '{type: archive, command: extract, config: {source: build.tar.gz, destination: out}}',
  check: checkArchive,
};

function checkArchive(action: ExecutorAction, step: SourceRef, report: Report): void {
  const { command = '', config } = action;
  const commandPlace = findField(step, 'command') ?? step;
  const at = (field: string): SourceRef => {
    const ref = findField(step, 'config') ?? findField(findField(step, 'type') ?? step, 'config');
    return ref === undefined ? step : (findField(ref, field) ?? ref);
  };
  const isKnown = (archiveOperations as readonly string[]).includes(command.trim());
  if (!isKnown && !isExpression(command)) {
    report.error(
      commandPlace,
      `"command" of an archive step must be one of ${archiveOperations.join(', ')}.`,
    );
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
      if (typeof glob === 'string' && !isExpression(glob)) checkGlob(at(field), glob, `"${field}"`, report);
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

const isExpression = (text: string): boolean => /[$`]/.test(text);
