import { isMap } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import { expandText, insertFirstField } from '../fields/expand-text.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { nodePathIn, type OpenWorkflow } from '../open-workflow.ts';
import { noEdit, mergeEdits } from '../sequence.ts';

/** Writes the generated names of the unnamed steps in `places` to the text. */
export function materializeNames(workflow: OpenWorkflow, positions: Iterable<number>): EditResult {
  const unnamed = [...new Set(positions)].filter((position) => workflow.drafts[position]?.name === '');
  if (unnamed.length === 0) return noEdit;
  return mergeEdits(...unnamed.map((position) => writeName(workflow, position, workflow.names[position]!)));
}

/** Adds a name as the first field of an unnamed step. */
export function writeName(workflow: OpenWorkflow, position: number, name: string): EditResult {
  const draft = workflow.drafts[position]!;
  const empty = draft.fields.get('name');
  if (empty !== undefined && !empty.isMerged)
    return setValue(workflow.editable, nodePathIn(workflow, [...draft.path, empty.key]), name);
  const isWritten = isMap(draft.node) && draft.written === draft.node;
  return isWritten ? insertFirstField(workflow, draft, 'name', name) : expandText(workflow, draft, name);
}

/** Finds the unnamed steps that are referenced by their generated names. */
export function findReferencedUnnamed(workflow: OpenWorkflow): Set<number> {
  const referred = new Set<number>();
  for (const list of workflow.written) {
    for (const { reference } of list ?? []) {
      const position = workflow.references.get(reference);
      if (
        position !== undefined &&
        workflow.drafts[position]!.name === '' &&
        workflow.names[position] === reference
      )
        referred.add(position);
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
  isShifted: (position: number) => boolean = () => true,
): EditResult {
  return materializeNames(workflow, [...findReferencedUnnamed(workflow)].filter(isShifted));
}

/** Does the same for unnamed steps whose number differs because a name was taken. */
export const materializeMovedNames = (workflow: OpenWorkflow): EditResult =>
  materializeReferredNames(
    workflow,
    (position) => workflow.names[position] !== `${workflow.drafts[position]!.kind.prefix}_${position + 1}`,
  );
