import { approvalTable } from '../../model/executors/approval.ts';
import { inputNamePattern } from '../../model/run/approval.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findField, keyStartOf, fieldOf, textOf, type SourceRef } from '../source/source-node.ts';
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
      const fieldRef = findField(step, field);
      if (fieldRef !== undefined) report.errorAt(keyStartOf(step.node, field), fieldRef.path, message);
    }
    const fieldRef = findConfig(step);
    if (typeof config['question'] === 'string' && config['question'].trim() === '')
      report.error(fieldOf(fieldRef, 'question'), '"question" is empty. Enter a question.');
    const inputs = readNames(config, 'inputs', fieldRef, report);
    checkRequired(readNames(config, 'required', fieldRef, report), inputs, report);
  },
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
      ? fieldRef.node.items.map((_, index) => fieldOf(fieldRef, index))
      : [fieldRef];
  for (const each of refs) {
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
  for (const [name, fieldRef] of required)
    if (!inputs.has(name))
      report.error(fieldRef, `Required input "${name}" is not in "inputs". Add it there, or remove it here.`);
}
