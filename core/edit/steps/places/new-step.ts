import { isMap, isScalar, stringify } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import type { EditRejection } from '../../edit-result.ts';
import { applyChanges } from '../../text-change.ts';
import { readFields, textOfNode } from '../../outline/fields.ts';
import { draftStep } from '../../outline/step-drafts.ts';
import { readEditable } from '../../yaml/editable-text.ts';
import { RawYaml } from '../../yaml/values/raw-yaml.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { findNameIssue } from '../names/check-name.ts';
import { uniqueName, takenNames } from '../names/unique-name.ts';
import { reject, type OpenWorkflow } from '../open-workflow.ts';
import { withName, type StepSource } from './step-source.ts';

/** A step as YAML or as a value; a string is a command. */
export type NewStep = RawYaml | JsonValue;

/** How a new step is named. */
export interface Naming {
  /** Made unique. Default: the name in the step itself. */
  readonly name?: string;
  /** Whether it must have a name because it will be referenced. */
  readonly isNeeded: boolean;
}

/** Returns the YAML of a new step without indentation. */
export function yamlOf(step: NewStep): string {
  const yaml = step instanceof RawYaml ? step.yaml : stringify(step, { lineWidth: 0 });
  return yaml.replaceAll('\r\n', '\n').replace(/^\n+/, '').replace(/\s+$/, '');
}

/** Prepares a step for a workflow and makes its name unique. */
export function prepareStep(
  workflow: OpenWorkflow,
  step: NewStep,
  naming: Naming,
): StepSource | EditRejection {
  const yaml = yamlOf(step);
  const { syntaxError, documents } = readEditable(yaml);
  const node = documents[0]?.contents ?? null;
  if (syntaxError !== undefined || documents.length !== 1 || (!isMap(node) && !isScalar(node)))
    return reject('A step must be a command or a map of fields.');
  const newName = isMap(node) ? readFields(node, 'step', documents[0]!).get('name') : undefined;
  const { kind } = draftStep(node, { path: [], item: 0, isGrouped: false }, documents[0]!).kind;
  const wanted = naming.name ?? textOfNode(newName?.value) ?? (naming.isNeeded ? kind : undefined);
  if (wanted === undefined) return { name: '', comments: '', value: yaml, form: 'item' };
  const name = uniqueName(wanted, takenNames(workflow));
  const problem = findNameIssue(workflow, name);
  if (problem !== undefined) return reject(problem);
  // In a map, the key is the name, so a string stays a string.
  if (newName === undefined && isMap(workflow.container))
    return { name, comments: '', value: yaml, form: 'entry' };
  if (newName === undefined) return { name, comments: '', value: withName(yaml, name), form: 'item' };
  const renamed = setValue(readEditable(yaml), { document: 0, path: [newName.key] }, name);
  return renamed.ok
    ? { name, comments: '', value: applyChanges(yaml, renamed.changes).trimEnd(), form: 'item' }
    : renamed;
}
