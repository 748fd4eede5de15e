import type { EditResult, NodeRef } from '../../edit-result.ts';
import { textOfNode } from '../../outline/fields.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { expandText } from '../fields/expand-text.ts';
import { writeNames } from '../names/pin-names.ts';
import {
  describeMissing,
  indexOfStep,
  openWorkflow,
  refuse,
  wiredSteps,
  type OpenWorkflow,
} from '../open-workflow.ts';
import { editInTurn, nothing } from '../sequence.ts';
import { changeDepends } from './change-depends.ts';
import { checkConnection, refuseChain } from './check-connection.ts';

/**
 * Makes a step of a graph wait for another one. A source without a name gets its name written.
 * @param document its index; that of the steps named when absent
 */
export function connect(
  editable: EditableText,
  source: NodeRef,
  target: NodeRef,
  document = source.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const refusal = checkConnection(wiredSteps(workflow), source, target);
  if (refusal !== undefined) return refusal;
  const [from, to] = [indexOfStep(workflow, source)!, indexOfStep(workflow, target)!];
  return editInTurn(editable, document, [
    (current) => writeNames(current, [from]),
    (current) => expandForFields(current, to),
    (current) => changeDepends(current, to, { add: [current.names[from]!] }),
  ]);
}

/**
 * Makes a step no longer wait for another one. In a chain only what `depends` says can go.
 * @param document its index; that of the steps named when absent
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
  if (from === undefined) return refuse(describeMissing(source));
  if (to === undefined) return refuse(describeMissing(target));
  const isWritten = (workflow.written[to] ?? []).some(
    ({ reference }) => workflow.references.get(reference) === from,
  );
  if (!workflow.waitsFor[to]!.includes(from))
    return refuse(`"${target.name}" does not depend on "${source.name}".`);
  if (!isWritten || staysImplied(workflow, from, to)) return refuseChain();
  return changeDepends(workflow, to, { drop: new Set([from]) });
}

/** In a chain the item before is waited for whatever `depends` says. */
function staysImplied({ type, drafts }: OpenWorkflow, from: number, to: number): boolean {
  return type === 'chain' && drafts[from]!.item === drafts[to]!.item - 1;
}

/** A step that is a text gets fields only as a map. */
export function expandForFields(workflow: OpenWorkflow, place: number): EditResult {
  const draft = workflow.drafts[place]!;
  const isText = draft.fields.size === 0 && (textOfNode(draft.node) !== undefined || draft.node === null);
  return isText || draft.written !== draft.node ? expandText(workflow, draft) : nothing;
}
