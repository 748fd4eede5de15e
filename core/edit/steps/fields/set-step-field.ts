import { isScalar, stringify } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import type { EditResult, NodeRef } from '../../edit-result.ts';
import type { AuthoredPath } from '../../outline.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { canonicalName } from '../../outline/fields.ts';
import { RawYaml } from '../../yaml/values/raw-yaml.ts';
import { removeValue } from '../../yaml/values/remove-value.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { findReferencedUnnamed, materializeNames } from '../names/pin-names.ts';
import {
  nodePathIn,
  describeMissing,
  draftOf,
  indexOfStep,
  openWorkflow,
  reject,
  type OpenWorkflow,
} from '../open-workflow.ts';
import { renameStep, setId } from '../rename-step.ts';
import { composeEdits, noEdit } from '../sequence.ts';
import { expandText } from './expand-text.ts';
import { insertTopField } from './insert-top-field.ts';
import { canonicalPath } from './canonical-path.ts';

/** Fields that determine the generated name of an unnamed step. */
const namingFields = new Set(['command', 'script', 'run', 'type', 'parallel', 'container']);

/**
 * Sets or removes one field of a step or handler. Converts a step that is a string to a map if necessary.
 * @param field path in canonical spelling, such as `retryPolicy`, `limit`; other spellings in the file are found, too
 * @param value undefined to remove the field
 */
export function setStepField(
  editable: EditableText,
  ref: NodeRef,
  { field, value }: { readonly field: AuthoredPath; readonly value: JsonValue | RawYaml | undefined },
): EditResult {
  const { document } = ref;
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const draft = draftOf(workflow, ref);
  if (draft === undefined) return reject(describeMissing(ref));
  const [first, ...below] = field;
  if (below.length === 0 && ref.section === 'step' && (typeof value === 'string' || value === undefined)) {
    if (first === 'name')
      return value === undefined ? removeName(workflow, ref) : renameStep(editable, ref, value, document);
    if (first === 'id') return setId(editable, ref, value, document);
  }
  const position = indexOfStep(workflow, ref);
  const isPinned =
    position !== undefined &&
    namingFields.has(String(first)) &&
    findReferencedUnnamed(workflow).has(position);
  const current = (now: OpenWorkflow) =>
    position === undefined ? draftOf(now, ref)! : now.drafts[position]!;
  return composeEdits(editable, document, [
    (now) => (isPinned ? materializeNames(now, [position]) : noEdit),
    (now) => {
      const { fields, node, written } = current(now);
      const isText = fields.size === 0 && (node === null || isScalar(node));
      const needsMap = isText && !(first === 'command' && typeof value === 'string') && value !== undefined;
      return needsMap || (written !== node && !isText) ? expandText(now, current(now)) : noEdit;
    },
    (now) => setField(now, current(now), field, value),
  ]);
}

function setField(
  workflow: OpenWorkflow,
  { path, node, fields }: OpenWorkflow['drafts'][number],
  field: AuthoredPath,
  value: JsonValue | RawYaml | undefined,
): EditResult {
  const { editable } = workflow;
  if (fields.size === 0 && (node === null || isScalar(node))) {
    if (field[0] !== 'command') return noEdit;
    return setValue(editable, nodePathIn(workflow, path), value ?? '');
  }
  const address = nodePathIn(workflow, [...path, ...canonicalPath(node, field, 'step', workflow.document)]);
  return value === undefined ? removeValue(editable, address) : setValue(editable, address, value);
}

function removeName(workflow: OpenWorkflow, ref: NodeRef): EditResult {
  const position = indexOfStep(workflow, ref)!;
  const draft = workflow.drafts[position]!;
  const field = draft.fields.get('name');
  if (draft.pair !== undefined)
    return reject('This name is the key of the step. Change it instead of removing it.');
  if (field === undefined) return noEdit;
  const isReferred = workflow.written.some((list) =>
    list?.some(({ reference }) => reference === ref.name && workflow.references.get(reference) === position),
  );
  if (isReferred)
    return reject(`Other steps depend on "${ref.name}" by name. Change the name instead of removing it.`);
  return removeValue(workflow.editable, nodePathIn(workflow, [...draft.path, field.key]));
}

/**
 * Sets or removes one field of the workflow. A new field is added above the steps.
 * @param field as for {@link setStepField}
 * @param document document index; default: the main workflow
 */
export function setWorkflowField(
  editable: EditableText,
  field: AuthoredPath,
  value: JsonValue | RawYaml | undefined,
  document?: number,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const [first, ...below] = field;
  const address = nodePathIn(
    workflow,
    canonicalPath(workflow.document.contents, field, 'workflow', workflow.document),
  );
  if (value === undefined) return removeValue(editable, address);
  const isNew = !workflow.fields.has(canonicalName(String(first), 'workflow') ?? String(first));
  if (!isNew || below.some((key) => typeof key === 'number')) return setValue(editable, address, value);
  if (value instanceof RawYaml)
    return below.length === 0
      ? insertTopField(workflow, String(first), value.yaml)
      : setValue(editable, address, value);
  const whole = below.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
  return insertTopField(workflow, String(first), stringify(whole, { lineWidth: 0 }).trimEnd());
}
