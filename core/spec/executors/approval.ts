import { approvalTable } from '../../model/executors/approval.ts';
import { inputNamePattern } from '../../model/run/approval.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, keyStartOf, placeOf, textOf, type SourceRef } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Fields that an approval step cannot have, with the reason. */
const disallowedFields: Readonly<Record<string, string>> = {
  parallel:
    '"parallel" is not supported for steps of type "approval". Add an approval step before or after the parallel step.',
  repeatPolicy: '"repeatPolicy" is not supported for steps of type "approval". Remove it.',
  workerSelector:
    '"workerSelector" is not supported for steps of type "approval", which run in the engine. Remove it.',
};

/** A step that waits for an approval. */
export const approvalRules: ExecutorRules = {
  sentence: 'Waits for a person to approve or reject.',
  table: approvalTable,
  command: 'refused',
  script: 'refused',
  params: 'refused',
  example: '{type: approval, config: {question: "Release it?"}}',
  check({ config }, step, report) {
    for (const [field, message] of Object.entries(disallowedFields)) {
      const place = findPlace(step, field);
      if (place !== undefined) report.errorAt(keyStartOf(step.node, field), place.path, message);
    }
    const place = findConfig(step);
    if (typeof config['question'] === 'string' && config['question'].trim() === '')
      report.error(placeOf(place, 'question'), '"question" is empty. Enter a question.');
    const inputs = readNames(config, 'inputs', place, report);
    checkRequired(readNames(config, 'required', place, report), inputs, report);
  },
};

/** Returns the source of `config`, which is next to `type` or inside it. */
function findConfig(step: SourceRef): SourceRef {
  const type = findPlace(step, 'type');
  return findPlace(step, 'config') ?? (type && findPlace(type, 'config')) ?? step;
}

/** Reads the names in a field with their places. Reports invalid and duplicate names. */
function readNames(
  config: ExecutorAction['config'],
  field: 'inputs' | 'required',
  parent: SourceRef,
  report: Report,
): ReadonlyMap<string, SourceRef> {
  const names = new Map<string, SourceRef>();
  const place = findPlace(parent, field);
  if (config[field] === undefined || place === undefined) return names;
  const places =
    place.node.kind === 'list' ? place.node.items.map((_, index) => placeOf(place, index)) : [place];
  for (const each of places) {
    const name = textOf(each.node);
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
  for (const [name, place] of required)
    if (!inputs.has(name))
      report.error(place, `Required input "${name}" is not in "inputs". Add it there, or remove it here.`);
}
