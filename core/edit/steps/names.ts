import { stringify } from 'yaml';
import { isSingleLine, reservedIds } from '../../spec/normalize/graph.ts';
import { type NodeRef, type EditResult, applyChanges, reject } from '../text-change.ts';
import { getNodeText } from '../step-fields.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { hasAnchors } from '../yaml/guard-anchors.ts';
import { findStepIndex, type OpenWorkflow, openWorkflow, getStepGraph } from './open-workflow.ts';

/**
 * Returns why a name is invalid for a step (core/spec/normalize/graph.ts); undefined if it is valid.
 * @param ref the step to name; absent for a new step
 */
export function findNameIssue(workflow: OpenWorkflow, name: string, ref?: NodeRef): string | undefined {
  if (!isSingleLine(name)) return 'A step name must be a single line of text.';
  if (name !== name.trim()) return 'A name cannot start or end with a space.';
  const stepIndex = ref === undefined ? undefined : findStepIndex(workflow, ref);
  const { names, drafts } = workflow;
  if (names.some((other, index) => other === name && index !== stepIndex))
    return `Step name "${name}" already exists. Choose another name.`;
  const bearer = drafts.findIndex(
    ({ fields }, index) => index !== stepIndex && getNodeText(fields.get('id')?.value) === name,
  );
  return bearer === -1 ? undefined : `"${name}" is the id of step "${names[bearer]!}". Choose another name.`;
}

const idPattern = /^[a-zA-Z][a-zA-Z0-9_-]*$/;

/** Returns why an id is invalid for a step; undefined if it is valid. */
export function findIdIssue(workflow: OpenWorkflow, id: string, ref: NodeRef): string | undefined {
  if (!idPattern.test(id))
    return 'An id must start with a letter and contain only letters, digits, "_" and "-".';
  if (reservedIds.has(id)) return `The id "${id}" is reserved. Choose another id.`;
  const stepIndex = findStepIndex(workflow, ref);
  const { names, drafts } = workflow;
  if (names.some((name, index) => name === id && index !== stepIndex))
    return `The id "${id}" is the name of another step. Choose another id.`;
  const bearer = drafts.findIndex(
    ({ fields }, index) => index !== stepIndex && getNodeText(fields.get('id')?.value) === id,
  );
  return bearer === -1
    ? undefined
    : `Step "${names[bearer]!}" already has the id "${id}". Choose another id.`;
}

/**
 * Rejects a rename that changes dependencies, which happens if an anchor shares a scalar between a name and something
 * else. Texts without anchors are not checked.
 * @param rename the new name of a step
 */
export function checkDependencies(
  editable: EditableText,
  result: EditResult,
  document: number | undefined,
  rename: (name: string) => string = (name) => name,
): EditResult {
  const before = openWorkflow(editable, document);
  if (!result.ok || 'reason' in before || !hasAnchors(editable)) return result;
  const after = openWorkflow(readEditable(applyChanges(editable.text, result.changes), editable), document);
  const isSame =
    !('reason' in after) &&
    JSON.stringify(getDependencies(before, rename)) === JSON.stringify(getDependencies(after));
  return isSame ? result : reject('This value is shared through a YAML anchor. Edit it in the source.');
}

const getDependencies = (workflow: OpenWorkflow, rename = (name: string): string => name): unknown =>
  getStepGraph(workflow).steps.map(({ name, depends }) => [rename(name), depends.map(rename)]);

/** Returns the names and ids that a new step cannot have; names take precedence over ids in lookups. */
export function takenNames({ names, drafts }: OpenWorkflow): Set<string> {
  const ids = drafts.flatMap(({ fields }) => getNodeText(fields.get('id')?.value) ?? []);
  return new Set([...names, ...ids]);
}

/** Returns the name, with a number if it is taken: `load`, `load_2`, `load_3`. */
export function uniqueName(preferredName: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(preferredName)) return preferredName;
  const [, stem = preferredName] = /^(.*[^_])_[0-9]{1,6}$/s.exec(preferredName) ?? [];
  for (let number = 2; ; number += 1) {
    const name = `${stem}_${number}`;
    if (!usedNames.has(name)) return name;
  }
}

/** Words that YAML 1.1 parsers read as booleans or null. */
const ambiguous = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;
const plain = /^[A-Za-z_][\w.-]*(?: [\w.()-]+)*$/;

/**
 * Formats a single-line string as a YAML scalar, quoted only if necessary.
 * @param inFlow whether it is inside brackets
 */
export function valueText(text: string, inFlow = false): string {
  if (plain.test(text) && !ambiguous.test(text)) return text;
  if (inFlow || text.includes('\n')) return JSON.stringify(text);
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

/** Formats a key in the same way. */
export const keyText = (text: string): string =>
  plain.test(text) && !ambiguous.test(text) ? text : JSON.stringify(text);
