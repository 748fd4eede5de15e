import type { NodeRef } from '../../edit-result.ts';
import { textOfNode } from '../../outline/fields.ts';
import { isSingleLine, reservedIds } from '../../../spec/rules/graph/names.ts';
import { indexOfStep, type OpenWorkflow } from '../open-workflow.ts';

/**
 * Returns why a name is invalid for a step (core/spec/rules/graph/names.ts); undefined if it is valid.
 * @param ref the step to name; absent for a new step
 */
export function findNameIssue(workflow: OpenWorkflow, name: string, ref?: NodeRef): string | undefined {
  if (!isSingleLine(name)) return 'A step name must be a single line of text.';
  if (name !== name.trim()) return 'A name cannot start or end with a space.';
  const ownIndex = ref === undefined ? undefined : indexOfStep(workflow, ref);
  const { names, drafts } = workflow;
  if (names.some((other, index) => other === name && index !== ownIndex))
    return `Step name "${name}" already exists. Choose another name.`;
  const bearer = drafts.findIndex(
    ({ fields }, index) => index !== ownIndex && textOfNode(fields.get('id')?.value) === name,
  );
  return bearer === -1 ? undefined : `"${name}" is the id of step "${names[bearer]!}". Choose another name.`;
}

const idPattern = /^[a-zA-Z][a-zA-Z0-9_-]*$/;

/** Returns why an id is invalid for a step; undefined if it is valid. */
export function findIdIssue(workflow: OpenWorkflow, id: string, ref: NodeRef): string | undefined {
  if (!idPattern.test(id))
    return 'An id must start with a letter and contain only letters, digits, "_" and "-".';
  if (reservedIds.has(id)) return `The id "${id}" is reserved. Choose another id.`;
  const ownIndex = indexOfStep(workflow, ref);
  const { names, drafts } = workflow;
  if (names.some((name, index) => name === id && index !== ownIndex))
    return `The id "${id}" is the name of another step. Choose another id.`;
  const bearer = drafts.findIndex(
    ({ fields }, index) => index !== ownIndex && textOfNode(fields.get('id')?.value) === id,
  );
  return bearer === -1
    ? undefined
    : `Step "${names[bearer]!}" already has the id "${id}". Choose another id.`;
}
