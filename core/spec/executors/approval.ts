import { approvalTable } from '../../model/executors/approval.ts';
import { inputNamePattern } from '../../model/run/approval.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, keyStartOf, placeOf, textOf, type Place } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** What makes no sense for a step that asks one person once, and why. */
const refusedFields: Readonly<Record<string, string>> = {
  parallel:
    'A step of type "approval" asks once, so it takes no "parallel". Ask before or after the step that has the items.',
  repeatPolicy:
    'A step of type "approval" asks once, so it takes no "repeatPolicy". Remove it; a retry of the run asks again.',
  workerSelector:
    'A step of type "approval" is carried out by the engine itself, so it takes no "workerSelector". Remove it.',
};

/** A step that waits for the answer of a person. */
export const approvalRules: ExecutorRules = {
  sentence: 'Waits for a person to approve or reject.',
  table: approvalTable,
  command: 'refused',
  script: 'refused',
  params: 'refused',
  example: '{type: approval, config: {question: "Release it?"}}',
  check({ config }, step, report) {
    for (const [field, message] of Object.entries(refusedFields)) {
      const place = findPlace(step, field);
      if (place !== undefined) report.errorAt(keyStartOf(step.node, field), place.path, message);
    }
    const place = findConfig(step);
    if (typeof config['question'] === 'string' && config['question'].trim() === '')
      report.error(placeOf(place, 'question'), '"question" is empty. Write what a person is asked.');
    const inputs = readNames(config, 'inputs', place, report);
    checkRequired(readNames(config, 'required', place, report), inputs, report);
  },
};

/** `config` beside `type`, or in it. */
function findConfig(step: Place): Place {
  const type = findPlace(step, 'type');
  return findPlace(step, 'config') ?? (type && findPlace(type, 'config')) ?? step;
}

/** The names of a field, each with its place; those that are none, or come twice, are reported. */
function readNames(
  config: ExecutorAction['config'],
  field: 'inputs' | 'required',
  parent: Place,
  report: Report,
): ReadonlyMap<string, Place> {
  const names = new Map<string, Place>();
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
        `${shown} is no name of an input. Use at most 64 letters, digits and "_", and begin with no digit.`,
      );
    else if (names.has(name)) report.error(each, `${shown} is given twice. Remove one.`);
    else names.set(name, each);
  }
  return names;
}

function checkRequired(
  required: ReadonlyMap<string, Place>,
  inputs: ReadonlyMap<string, Place>,
  report: Report,
): void {
  for (const [name, place] of required)
    if (!inputs.has(name))
      report.error(place, `"${name}" is required, but is none of "inputs". Add it there, or remove it here.`);
}
