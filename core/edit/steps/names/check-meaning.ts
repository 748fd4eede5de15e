import type { EditResult } from '../../edit-result.ts';
import { applyChanges } from '../../text-change.ts';
import { readEditable, type EditableText } from '../../yaml/editable-text.ts';
import { hasAnchors } from '../../yaml/anchors/guard-anchors.ts';
import { openWorkflow, reject, stepGraphOf, type OpenWorkflow } from '../open-workflow.ts';

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
    JSON.stringify(dependenciesOf(before, rename)) === JSON.stringify(dependenciesOf(after));
  return isSame ? result : reject('This value is shared through a YAML anchor. Edit it in the source.');
}

const dependenciesOf = (workflow: OpenWorkflow, rename = (name: string): string => name): unknown =>
  stepGraphOf(workflow).steps.map(({ name, depends }) => [rename(name), depends.map(rename)]);
