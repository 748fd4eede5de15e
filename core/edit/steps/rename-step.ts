import { type EditResult, type NodeRef, reject } from '../text-change.ts';
import { getNodeText } from '../step-fields.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { removeValue } from '../yaml/remove-value.ts';
import { setValue } from '../yaml/set-value.ts';
import { expandText, materializeMovedNames, writeName } from './expand-text.ts';
import { findIdIssue, findNameIssue, checkDependencies } from './names.ts';
import {
  nodePathIn,
  findStepIndex,
  openWorkflow,
  nodeRefIn,
  type OpenWorkflow,
  composeEdits,
  sortChanges,
  noEdit,
} from './open-workflow.ts';
import { changeIds, changeNames, replaceIdByName } from './references.ts';
import { formatMissingStep } from './check-connection.ts';

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
  const position = findStepIndex(workflow, ref);
  if (ref.section === 'handler') return reject('Handlers cannot be renamed.');
  if (position === undefined) return reject(formatMissingStep(ref));
  const problem = findNameIssue(workflow, newName, ref);
  if (problem !== undefined) return reject(problem);
  if (workflow.names[position] === newName && workflow.drafts[position]!.name !== '') return noEdit;
  const isInherited = workflow.drafts[position]!.fields.get('name')?.isMerged === true;
  if (isInherited)
    return reject('The name comes from a YAML anchor. Give the step its own name in the source first.');
  const select = [nodeRefIn(workflow, newName)];
  return checkDependencies(
    editable,
    composeEdits(editable, document, [
      materializeMovedNames,
      (current) =>
        current.drafts[position]!.name === ''
          ? writeName(current, position, current.names[position]!)
          : noEdit,
      (current) => ({
        ok: true,
        changes: sortChanges(changeNames(current, new Map([[position, newName]]))),
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
  const position = findStepIndex(workflow, ref);
  if (position === undefined) return reject(formatMissingStep(ref));
  const field = workflow.drafts[position]!.fields.get('id');
  if (newId === undefined) return field === undefined ? noEdit : removeId(editable, position, document);
  const problem = findIdIssue(workflow, newId, ref);
  if (problem !== undefined) return reject(problem);
  if (getNodeText(field?.value) === undefined) return addId(editable, position, newId, document);
  if (field!.isMerged) return reject('The id comes from a YAML anchor. Change it there in the source.');
  const changes = changeIds(workflow, new Map([[position, newId]]));
  return checkDependencies(editable, { ok: true, changes: sortChanges(changes) }, document);
}

function addId(editable: EditableText, position: number, id: string, document?: number): EditResult {
  return composeEdits(editable, document, [
    (current) => {
      const draft = current.drafts[position]!;
      return draft.fields.size === 0 ? expandText(current, draft) : noEdit;
    },
    (current) => {
      const { path, fields } = current.drafts[position]!;
      return setValue(current.editable, nodePathIn(current, [...path, fields.get('id')?.key ?? 'id']), id);
    },
  ]);
}

function removeId(editable: EditableText, position: number, document?: number): EditResult {
  const usesId = (current: OpenWorkflow): boolean =>
    changeIds(current, new Map([[position, 'x']])).length > 1;
  return composeEdits(editable, document, [
    (current) =>
      usesId(current) && current.drafts[position]!.name === ''
        ? writeName(current, position, current.names[position]!)
        : noEdit,
    (current) => ({ ok: true, changes: sortChanges(replaceIdByName(current, position)) }),
    (current) => {
      const { path, fields } = current.drafts[position]!;
      return removeValue(current.editable, nodePathIn(current, [...path, fields.get('id')!.key]));
    },
  ]);
}
