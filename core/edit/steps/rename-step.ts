import type { EditResult, NodeRef } from '../edit-result.ts';
import { textOfNode } from '../outline/fields.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { removeValue } from '../yaml/values/remove-value.ts';
import { setValue } from '../yaml/values/set-value.ts';
import { expandText } from './fields/expand-text.ts';
import { findIdIssue, findNameIssue } from './names/check-name.ts';
import { materializeMovedNames, writeName } from './names/pin-names.ts';
import {
  addressIn,
  describeMissing,
  indexOfStep,
  openWorkflow,
  refIn,
  reject,
  type OpenWorkflow,
} from './open-workflow.ts';
import { changeIds, changeNames, nameInsteadOfId } from './references/rename-changes.ts';
import { checkMeaning } from './names/check-meaning.ts';
import { composeEdits, inOrder, noEdit } from './sequence.ts';

/**
 * Renames a step and updates every `depends` of the workflow, so that its meaning does not change. Strings refer to
 * steps by id and never by name, so they stay.
 * @param document document index; default: that of the referenced steps
 */
export function renameStep(
  editable: EditableText,
  ref: NodeRef,
  newName: string,
  document = ref.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const place = indexOfStep(workflow, ref);
  if (ref.section === 'handler') return reject('Handlers cannot be renamed.');
  if (place === undefined) return reject(describeMissing(ref));
  const fault = findNameIssue(workflow, newName, ref);
  if (fault !== undefined) return reject(fault);
  if (workflow.names[place] === newName && workflow.drafts[place]!.name !== '') return noEdit;
  const isInherited = workflow.drafts[place]!.fields.get('name')?.isMerged === true;
  if (isInherited)
    return reject('The name comes from a YAML anchor. Give the step its own name in the source first.');
  const select = [refIn(workflow, newName)];
  return checkMeaning(
    editable,
    composeEdits(editable, document, [
      materializeMovedNames,
      (current) =>
        current.drafts[place]!.name === '' ? writeName(current, place, current.names[place]!) : noEdit,
      (current) => ({
        ok: true,
        changes: inOrder(changeNames(current, new Map([[place, newName]]))),
        select,
      }),
    ]),
    document,
    (name) => (name === ref.name ? newName : name),
  );
}

/**
 * Sets the id of a step and updates every `depends` and every `${id.stdout}` of the workflow.
 * @param newId undefined to remove the id: `depends` then uses the name of the step, and references in strings stay
 */
export function setId(
  editable: EditableText,
  ref: NodeRef,
  newId: string | undefined,
  document = ref.document,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const place = indexOfStep(workflow, ref);
  if (place === undefined) return reject(describeMissing(ref));
  const field = workflow.drafts[place]!.fields.get('id');
  if (newId === undefined) return field === undefined ? noEdit : takeIdAway(editable, place, document);
  const fault = findIdIssue(workflow, newId, ref);
  if (fault !== undefined) return reject(fault);
  if (textOfNode(field?.value) === undefined) return addId(editable, place, newId, document);
  if (field!.isMerged) return reject('The id comes from a YAML anchor. Change it there in the source.');
  const changes = changeIds(workflow, new Map([[place, newId]]));
  return checkMeaning(editable, { ok: true, changes: inOrder(changes) }, document);
}

function addId(editable: EditableText, place: number, id: string, document?: number): EditResult {
  return composeEdits(editable, document, [
    (current) => {
      const draft = current.drafts[place]!;
      return draft.fields.size === 0 ? expandText(current, draft) : noEdit;
    },
    (current) => {
      const { path, fields } = current.drafts[place]!;
      return setValue(current.editable, addressIn(current, [...path, fields.get('id')?.key ?? 'id']), id);
    },
  ]);
}

function takeIdAway(editable: EditableText, place: number, document?: number): EditResult {
  const usesId = (current: OpenWorkflow): boolean => changeIds(current, new Map([[place, 'x']])).length > 1;
  return composeEdits(editable, document, [
    (current) =>
      usesId(current) && current.drafts[place]!.name === ''
        ? writeName(current, place, current.names[place]!)
        : noEdit,
    (current) => ({ ok: true, changes: inOrder(nameInsteadOfId(current, place)) }),
    (current) => {
      const { path, fields } = current.drafts[place]!;
      return removeValue(current.editable, addressIn(current, [...path, fields.get('id')!.key]));
    },
  ]);
}
