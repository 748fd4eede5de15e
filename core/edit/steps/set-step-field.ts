import { isMap, isScalar, isSeq, type Document, type Node, stringify } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { handlerNames } from '../../model/workflow-rules.ts';
import type { AuthoredPath } from '../outline.ts';
import { resolveNode, getKeyText } from '../step-fields.ts';
import { isKeySpelling, type MapKind } from '../yaml/keys.ts';
import { type EditResult, type NodeRef, reject } from '../text-change.ts';
import { getEntries, isFlow } from '../yaml/entries.ts';
import { RawYaml } from '../yaml/read-value.ts';
import { setValue } from '../yaml/set-value.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { removeValue } from '../yaml/remove-value.ts';
import {
  nodePathIn,
  type OpenWorkflow,
  getDraft,
  findStepIndex,
  openWorkflow,
  composeEdits,
  noEdit,
  nodeRefIn,
} from './open-workflow.ts';
import { readEntryLines, findLineStart } from './entry-lines.ts';
import { matchLineEndings, writeEntry, toYaml, type NewStep } from './insert-steps.ts';
import { findReferencedUnnamed, materializeNames, expandText } from './expand-text.ts';
import { renameStep, setId } from './rename-step.ts';
import { canonicalName } from '../../spec/foreign-fields.ts';
import { formatMissingStep } from './check-connection.ts';

/** Kinds of the maps in fields, for maps with a fixed set of keys. */
const childKinds: Readonly<Record<string, MapKind>> = {
  retryPolicy: 'retryPolicy',
  repeatPolicy: 'repeatPolicy',
  continueOn: 'continueOn',
  parallel: 'parallel',
  tty: 'tty',
  container: 'container',
  preconditions: 'condition',
  schedule: 'schedule',
  mailOn: 'mailOn',
  errorMail: 'mail',
  infoMail: 'mail',
  smtp: 'smtp',
  otel: 'otel',
  runConfig: 'runConfig',
  ssh: 'ssh',
  secrets: 'secret',
};

/** Returns the kind of map at a key; undefined if its keys are arbitrary. */
export function childKind(kind: MapKind | undefined, key: string | number): MapKind | undefined {
  if (typeof key === 'number') return kind;
  if (kind === 'step' && key === 'type') return 'stepType';
  return kind === 'step' || kind === 'workflow' ? childKinds[key] : undefined;
}

/** Converts a path in canonical spelling to the spelling in the file, as far as the path exists. */
function canonicalPath(
  node: Node | null,
  path: AuthoredPath,
  kind: MapKind,
  document: Document.Parsed,
): AuthoredPath {
  let at: Node | null = node;
  let within: MapKind | undefined = kind;
  return path.map((key) => {
    const parent: Node | null = resolveNode(at, document);
    const mapKind = within;
    within = childKind(within, key);
    if (isSeq<Node | null>(parent)) {
      at = parent.items[Number(key)] ?? null;
      return key;
    }
    if (!isMap<Node, Node | null>(parent)) {
      at = null;
      return key;
    }
    const pairs = parent.items.filter((pair) => isScalar(pair.key));
    const pair =
      pairs.find((each) => getKeyText(each.key) === String(key)) ??
      (mapKind && pairs.find((each) => isKeySpelling(getKeyText(each.key), String(key), mapKind)));
    at = pair?.value ?? null;
    return pair === undefined ? key : getKeyText(pair.key);
  });
}

/**
 * Adds a field to a workflow above its steps.
 * @param yaml its value without indentation
 */
export function insertTopField(workflow: OpenWorkflow, key: string, yaml: string): EditResult {
  const { fields, document, editable } = workflow;
  const root = document.contents;
  const steps = fields.get('steps');
  const isPlain = isMap(root) && !isFlow(root) && steps !== undefined && !steps.isMerged;
  if (!isPlain) return setValue(editable, nodePathIn(workflow, [key]), new RawYaml(yaml));
  const { text } = editable;
  const lines = readEntryLines(text, root);
  const position = getEntries(root).findIndex((entry) => entry.key === steps.keyNode);
  const { from, entry, isInline } = lines.at(position)!;
  // Comments above the first field are about the file.
  const at = isInline ? entry.from : position === 0 ? findLineStart(text, entry.from) : from;
  if (isInline || (at === 0 && text.startsWith('\uFEFF')))
    return setValue(editable, nodePathIn(workflow, [key]), new RawYaml(yaml));
  const insert = writeEntry({ name: key, comments: '', value: yaml, form: 'entry' }, lines.column);
  return { ok: true, changes: [{ from: at, to: at, insert: matchLineEndings(text, insert) }] };
}

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
  const draft = getDraft(workflow, ref);
  if (draft === undefined) return reject(formatMissingStep(ref));
  const [first, ...below] = field;
  if (below.length === 0 && ref.section === 'step' && (typeof value === 'string' || value === undefined)) {
    if (first === 'name')
      return value === undefined ? removeName(workflow, ref) : renameStep(editable, ref, value, document);
    if (first === 'id') return setId(editable, ref, value, document);
  }
  const position = findStepIndex(workflow, ref);
  const isPinned =
    position !== undefined &&
    namingFields.has(String(first)) &&
    findReferencedUnnamed(workflow).has(position);
  const current = (now: OpenWorkflow) =>
    position === undefined ? getDraft(now, ref)! : now.drafts[position]!;
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
  const position = findStepIndex(workflow, ref)!;
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

/**
 * Sets a lifecycle handler, and replaces the existing one.
 * @param kind `init`, `success`, `failure`, `abort` or `exit`
 * @param document document index; default: the main workflow
 */
export function setHandler(
  editable: EditableText,
  kind: string,
  step: NewStep,
  document?: number,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  if (!handlerNames.some((name) => name === kind))
    return reject(`Unknown handler "${kind}". Valid handlers: ${handlerNames.join(', ')}.`);
  const result = setValue(editable, nodePathIn(workflow, getPath(workflow, kind)), new RawYaml(toYaml(step)));
  return result.ok ? { ...result, select: [nodeRefIn(workflow, kind, 'handler')] } : result;
}

/** Removes a handler, and `handlerOn` with the last one. */
export function removeHandler(editable: EditableText, kind: string, document?: number): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const handler = workflow.handlers.find(({ name }) => name === kind);
  if (handler === undefined) return reject(formatMissingStep({ section: 'handler', name: kind }));
  const map = workflow.fields.get('handlerOn')?.value;
  const isLast = isMap(map) && map.items.length === 1;
  return removeValue(editable, nodePathIn(workflow, isLast ? handler.path.slice(0, 1) : handler.path));
}

/** Returns the path with the keys as written. */
function getPath({ fields, handlers }: OpenWorkflow, kind: string): string[] {
  const known = handlers.find(({ name }) => name === kind);
  return known === undefined ? [fields.get('handlerOn')?.key ?? 'handlerOn', kind] : known.path.map(String);
}
