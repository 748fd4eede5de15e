import type { EditResult, NodeRef } from '../../edit-result.ts';
import { textOfNode } from '../../outline/fields.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { expandText } from '../fields/expand-text.ts';
import { materializeNames } from '../names/pin-names.ts';
import {
  describeMissing,
  indexOfStep,
  openWorkflow,
  reject,
  stepGraphOf,
  type OpenWorkflow,
} from '../open-workflow.ts';
import { composeEdits, noEdit } from '../sequence.ts';
import { changeDepends } from './change-depends.ts';
import { checkConnection, rejectInChain } from './check-connection.ts';

/**
 * Adds a dependency between two steps of a graph. Writes the name of an unnamed source.
 * @param document document index; default: that of the referenced steps
 */
export function connect(
  editable: EditableText,
  source: NodeRef,
  target: NodeRef,
  document = source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const error = checkConnection(stepGraphOf(workflow), source, target);
  if (error !== undefined) return error;
  const [from, to] = [indexOfStep(workflow, source)!, indexOfStep(workflow, target)!];
  return composeEdits(editable, document, [
    (current) => materializeNames(current, [from]),
    (current) => expandToMap(current, to),
    (current) => changeDepends(current, to, { add: [current.names[from]!] }),
  ]);
}

/**
 * Removes a dependency between two steps. In a chain, only written dependencies can be removed.
 * @param document document index; default: that of the referenced steps
 */
export function disconnect(
  editable: EditableText,
  source: NodeRef,
  target: NodeRef,
  document = source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const [from, to] = [indexOfStep(workflow, source), indexOfStep(workflow, target)];
  if (from === undefined) return reject(describeMissing(source));
  if (to === undefined) return reject(describeMissing(target));
  const isWritten = (workflow.written[to] ?? []).some(
    ({ reference }) => workflow.references.get(reference) === from,
  );
  if (!workflow.waitsFor[to]!.includes(from))
    return reject(`"${target.name}" does not depend on "${source.name}".`);
  if (!isWritten || staysImplied(workflow, from, to)) return rejectInChain();
  return changeDepends(workflow, to, { drop: new Set([from]) });
}

/** Whether the dependency remains because a chain implies it for the previous item. */
function staysImplied({ type, drafts }: OpenWorkflow, from: number, to: number): boolean {
  return type === 'chain' && drafts[from]!.item === drafts[to]!.item - 1;
}

/** Converts a step that is a string to a map, so that it can have fields. */
export function expandToMap(workflow: OpenWorkflow, position: number): EditResult {
  const draft = workflow.drafts[position]!;
  const isText = draft.fields.size === 0 && (textOfNode(draft.node) !== undefined || draft.node === null);
  return isText || draft.written !== draft.node ? expandText(workflow, draft) : noEdit;
}
