import { isMap } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import { expandText, insertFirstField } from '../fields/expand-text.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { addressIn, type OpenWorkflow } from '../open-workflow.ts';
import { noEdit, mergeEdits } from '../sequence.ts';

/** Writes the generated names of the unnamed steps in `places` to the text. */
export function materializeNames(workflow: OpenWorkflow, places: Iterable<number>): EditResult {
  const unnamed = [...new Set(places)].filter((place) => workflow.drafts[place]?.name === '');
  if (unnamed.length === 0) return noEdit;
  return mergeEdits(...unnamed.map((place) => writeName(workflow, place, workflow.names[place]!)));
}

/** Adds a name as the first field of an unnamed step. */
export function writeName(workflow: OpenWorkflow, place: number, name: string): EditResult {
  const draft = workflow.drafts[place]!;
  const empty = draft.fields.get('name');
  if (empty !== undefined && !empty.isMerged)
    return setValue(workflow.editable, addressIn(workflow, [...draft.path, empty.key]), name);
  const isWritten = isMap(draft.node) && draft.written === draft.node;
  return isWritten ? insertFirstField(workflow, draft, 'name', name) : expandText(workflow, draft, name);
}

/** Finds the unnamed steps that are referenced by their generated names. */
export function findReferred(workflow: OpenWorkflow): Set<number> {
  const referred = new Set<number>();
  for (const list of workflow.written) {
    for (const { reference } of list ?? []) {
      const place = workflow.references.get(reference);
      if (place !== undefined && workflow.drafts[place]!.name === '' && workflow.names[place] === reference)
        referred.add(place);
    }
  }
  return referred;
}

/**
 * Writes the names of referenced unnamed steps, because the next edit may change the positions that their names are
 * generated from.
 */
export function materializeReferredNames(
  workflow: OpenWorkflow,
  isShifted: (place: number) => boolean = () => true,
): EditResult {
  return materializeNames(workflow, [...findReferred(workflow)].filter(isShifted));
}

/** Does the same for unnamed steps whose number differs because a name was taken. */
export const materializeMovedNames = (workflow: OpenWorkflow): EditResult =>
  materializeReferredNames(
    workflow,
    (place) => workflow.names[place] !== `${workflow.drafts[place]!.kind.prefix}_${place + 1}`,
  );
