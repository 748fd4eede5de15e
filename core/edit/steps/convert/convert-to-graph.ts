import type { EditResult } from '../../edit-result.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { insertTopField } from '../fields/insert-top-field.ts';
import { materializeNames } from '../names/pin-names.ts';
import { nodePathIn, openWorkflow, reject, type OpenWorkflow } from '../open-workflow.ts';
import { composeEdits, noEdit, mergeEdits } from '../sequence.ts';
import { changeDepends } from '../wiring/change-depends.ts';
import { expandToMap } from '../wiring/connect.ts';
import { flattenGroups } from './flatten-groups.ts';

/** Maximum number of dependencies that are written; two consecutive groups of a hundred steps have ten thousand. */
const MAX_WRITTEN = 20_000;

/**
 * Converts a chain to a graph with explicit dependencies for each step. Groups become single steps.
 * @param document document index; default: the main workflow
 */
export function convertToGraph(editable: EditableText, document?: number): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  if (workflow.type === 'graph') return reject('This workflow already uses explicit dependencies.');
  const { waitsFor } = workflow;
  const count = waitsFor.reduce((sum, { length }) => sum + length, 0);
  if (count > MAX_WRITTEN)
    return reject(
      `The steps have ${count.toLocaleString('en-US')} dependencies, too many to write out. Put one step between large groups first.`,
    );
  const waiting = waitsFor.flatMap((depends, position) => (depends.length > 0 ? [position] : []));
  return composeEdits(editable, document, [
    (current) => materializeNames(current, waitsFor.flat()),
    flattenGroups,
    (current) => mergeEdits(...waiting.map((position) => expandToMap(current, position))),
    (current) =>
      mergeEdits(
        setType(current, 'graph'),
        ...waiting.map((position) =>
          changeDepends(current, position, { add: waitsFor[position]!.map((each) => current.names[each]!) }),
        ),
      ),
  ]);
}

/** Sets `type` of the workflow. */
export function setType(workflow: OpenWorkflow, type: 'chain' | 'graph'): EditResult {
  const field = workflow.fields.get('type');
  if (field !== undefined) return setValue(workflow.editable, nodePathIn(workflow, [field.key]), type);
  return type === 'chain' ? noEdit : insertTopField(workflow, 'type', type);
}
