import { isSeq, isMap, isScalar, type Document, type Node, type YAMLMap } from 'yaml';
import { stripBom } from '../../base/text.ts';
import {
  type EditResult,
  type NodeRef,
  type EditRejection,
  applyChanges,
  type ChangeSet,
  reject,
} from '../text-change.ts';
import { getNodeText, type AuthoredDependency, resolveNode, getKeyText } from '../step-fields.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { getEntries } from '../yaml/entries.ts';
import type { StepPosition } from './add-step.ts';
import { convertToGraph, flattenGroups } from './convert.ts';
import { materializeReferredNames, materializeNames } from './expand-text.ts';
import { uniqueName, takenNames } from './names.ts';
import {
  findStepIndex,
  openWorkflow,
  nodeRefIn,
  type OpenWorkflow,
  composeEdits,
  sortChanges,
  mergeEdits,
} from './open-workflow.ts';
import { insertSteps } from './insert-steps.ts';
import { getEntrySource, type StepSource } from './step-source.ts';
import { changeIds, changeNames } from './references.ts';
import { changeDepends } from './connect.ts';
import { copySteps, makeSelfContained } from './copy-steps.ts';
import { canonicalName } from '../../spec/foreign-fields.ts';
import { formatMissingStep } from './check-connection.ts';

/**
 * Pastes steps into a workflow: from {@link copySteps}, or a hand-written step, list or map of steps, or whole
 * workflow. Names and ids that are taken get a number, in references to them as well. Dependencies on steps that do
 * not exist are dropped and listed in the result.
 * @param document document index; default: that of the referenced steps
 */
export function pasteSteps(
  editable: EditableText,
  text: string,
  position: StepPosition = {},
  document = (position.after ?? position.before)?.document,
): EditResult {
  const clip = readClip(text);
  return 'reason' in clip ? clip : insertClip(editable, clip, position, document);
}

/**
 * Inserts copies of steps after the last of them. Their dependencies on each other refer to the copies; other
 * dependencies stay the same.
 * @param document document index; default: that of the referenced steps
 */
export function duplicateSteps(
  editable: EditableText,
  refs: readonly NodeRef[],
  document = refs[0]?.document,
): EditResult {
  const copied = copySteps(editable, refs, document);
  if (!copied.ok) return copied;
  const clip = readClip(copied.text);
  if ('reason' in clip) return clip;
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const steps = refs.filter(({ section }) => section === 'step');
  const last = steps.toSorted((a, b) => findStepIndex(workflow, b)! - findStepIndex(workflow, a)!)[0]!;
  return insertClip(editable, clip, { after: last }, document);
}

function insertClip(
  editable: EditableText,
  clip: Clip,
  { after, before }: StepPosition,
  document?: number,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const neighbour = after ?? before;
  const index = neighbour && findStepIndex(workflow, neighbour);
  if (neighbour !== undefined && index === undefined) return reject(formatMissingStep(neighbour));
  const adapted = adapt(clip, workflow);
  if ('reason' in adapted) return adapted;
  const { pasted, lost } = adapted;
  const sources = listSources(pasted);
  if (sources.length === 0) return reject('The workflow has no steps to paste.');
  const { drafts } = workflow;
  const item =
    index === undefined
      ? (drafts.at(-1)?.item ?? -1) + 1
      : drafts[index]!.item + (after === undefined ? 0 : 1);
  const at = drafts.filter((draft) => draft.item < item).length;
  const result = composeEdits(editable, document, [
    (current) => materializeReferredNames(current, (referred) => referred >= at),
    (current) => insertSteps(current, item, sources),
  ]);
  if (!result.ok) return result;
  const names = getPastedNames(workflow, pasted, { at, changes: result.changes });
  const select = names.map((name) => nodeRefIn(workflow, name));
  return { ...result, select, ...(lost.length > 0 && { lost }) };
}

/** Returns the names of pasted steps. Unnamed steps have the name of their position in the clip. */
function getPastedNames(
  { editable, index }: OpenWorkflow,
  pasted: OpenWorkflow,
  { at, changes }: { readonly at: number; readonly changes: ChangeSet },
): readonly string[] {
  if (pasted.drafts.every(({ name }) => name !== '')) return pasted.names;
  const after = openWorkflow(readEditable(applyChanges(editable.text, changes), editable), index);
  return 'reason' in after ? [] : after.names.slice(at, at + pasted.drafts.length);
}

/** Adapts names, ids and dependencies of the clip to the workflow. */
function adapt(
  clip: Clip,
  target: OpenWorkflow,
): { readonly pasted: OpenWorkflow; readonly lost: readonly string[] } | EditRejection {
  let mini = openWorkflow(readEditable(clip.text));
  if ('reason' in mini) return mini;
  const isUnlike = clip.isWorkflow && mini.type === 'chain' && target.type === 'graph';
  if (isUnlike && mini.drafts.length > 0) {
    const graph = convertToGraph(mini.editable);
    if (!graph.ok) return graph;
    mini = openWorkflow(readEditable(applyChanges(clip.text, graph.changes)));
    if ('reason' in mini) return mini;
  }
  const needsNames = !isSeq(target.container) && target.container !== null;
  const edit = composeEdits(mini.editable, undefined, [
    (current) =>
      needsNames ? materializeNames(current, current.drafts.keys()) : materializeReferredNames(current),
    (current) =>
      isSeq(target.container) && target.type === 'chain' ? { ok: true, changes: [] } : flattenGroups(current),
    (current) => ({ ok: true, changes: makeSelfContained(current, getRanges(current)) }),
    (current) => dropUnknown(current, target),
    (current) => renameConflicting(current, takenNames(target)),
  ]);
  if (!edit.ok) return edit;
  const pasted = openWorkflow(readEditable(applyChanges(mini.editable.text, edit.changes)));
  if ('reason' in pasted) return pasted;
  const lost = mini.written.flatMap((list) => listUnknown(list, mini, target));
  return { pasted, lost: [...new Set(lost.map(({ reference }) => reference))] };
}

/** Lists entries of `depends` that neither the clip nor the target contains. */
const listUnknown = (
  list: readonly AuthoredDependency[] | undefined,
  workflow: OpenWorkflow,
  target: OpenWorkflow,
): AuthoredDependency[] =>
  (list ?? []).filter(
    ({ reference }) => !workflow.references.has(reference) && !target.references.has(reference),
  );

/** Returns the ranges of the steps; other fields of a pasted workflow are not pasted. */
function getRanges({ container }: OpenWorkflow): { from: number; to: number }[] {
  const range = container?.range;
  return range ? [{ from: range[0], to: range[1] }] : [];
}

/** Drops dependencies on steps that do not exist in the target. */
function dropUnknown(workflow: OpenWorkflow, target: OpenWorkflow): EditResult {
  return mergeEdits(
    ...workflow.written.map((list, position) =>
      changeDepends(workflow, position, { dropWritten: new Set(listUnknown(list, workflow, target)) }),
    ),
  );
}

function renameConflicting(workflow: OpenWorkflow, usedNames: Set<string>): EditResult {
  const names = new Map<number, string>();
  const ids = new Map<number, string>();
  const all = new Set([...usedNames, ...takenNames(workflow)]);
  workflow.drafts.forEach(({ name, fields }, position) => {
    if (name !== '' && usedNames.has(name)) names.set(position, uniqueName(name, all));
    all.add(names.get(position) ?? name);
    const id = getNodeText(fields.get('id')?.value);
    if (id !== undefined && usedNames.has(id)) ids.set(position, uniqueName(id, all));
    all.add(ids.get(position) ?? id ?? '');
  });
  return { ok: true, changes: sortChanges([...changeNames(workflow, names), ...changeIds(workflow, ids)]) };
}

/** Lists the items of the clip, groups unchanged. */
function listSources({ container, editable }: OpenWorkflow): StepSource[] {
  if (container === null || !('items' in container)) return [];
  const collection = container;
  return getEntries(collection).map((_, position) => getEntrySource(editable.text, { collection, position }));
}

/** Pasted steps as a separate workflow. */
interface Clip {
  readonly text: string;
  /** The clipboard had a whole workflow, so the order and dependencies of its steps are meaningful. */
  readonly isWorkflow: boolean;
}

/** Maximum length of pasted text; the same as the limit of a file. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Parses a list of steps, one step, a map of steps or a workflow. */
function readClip(pasted: string): Clip | EditRejection {
  if (pasted.length > MAX_CHARACTERS) return reject('The clipboard content is too long for a workflow.');
  const text = stripBom(pasted)
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '');
  const { syntaxError, documents } = readEditable(text);
  if (syntaxError !== undefined) return reject(`Invalid YAML: ${syntaxError.message}`);
  const document = documents.find(({ contents }) => contents !== null);
  const node = document?.contents ?? null;
  if (document === undefined || documents.length > 1 || !(isMap(node) || isSeq(node))) return reject(noSteps);
  if (isSeq(node))
    return isStepList(node.items, document) ? { text: below(text), isWorkflow: false } : reject(noSteps);
  switch (getMapKind(node, document)) {
    case 'workflow':
      return { text, isWorkflow: true };
    case 'step':
      return {
        text: `steps:\n  - ${text.trimEnd().replaceAll(/\n(?=[^\n])/g, '\n    ')}\n`,
        isWorkflow: false,
      };
    case 'steps':
      return { text: below(text), isWorkflow: false };
    default:
      return reject(noSteps);
  }
}

const noSteps = 'The clipboard contains no steps. Copy a step, a list of steps or a workflow as YAML.';

const below = (text: string): string => `steps:\n${text.trimEnd().replaceAll(/^(?=[^\n])/gm, '  ')}\n`;

/** Detects the kind of a map by its keys. */
function getMapKind(map: YAMLMap, document: Document.Parsed): 'workflow' | 'step' | 'steps' | undefined {
  const keys = map.items.map(({ key }) => getKeyText(key)).filter((key) => key !== '<<');
  if (keys.some((key) => canonicalName(key, 'workflow') === 'steps')) return 'workflow';
  const isStep = keys.some((key) => doing.has(canonicalName(key, 'step') ?? ''));
  if (isStep && keys.every((key) => canonicalName(key, 'step') !== undefined)) return 'step';
  const values = map.items.map(({ value }) => resolveNode(value, document));
  const areSteps = values.length > 0 && values.every((value) => isStepMap(value) || isText(value));
  return areSteps && values.some(isStepMap) ? 'steps' : undefined;
}

/** Fields that define the action of a step. */
const doing = new Set(['command', 'script', 'run', 'type', 'container']);

const isStepMap = (node: Node | null): boolean =>
  isMap(node) && node.items.some(({ key }) => canonicalName(getKeyText(key), 'step') !== undefined);

const isText = (node: Node | null): boolean => isScalar(node) && typeof node.value === 'string';

function isStepList(items: readonly unknown[], document: Document.Parsed): boolean {
  return (
    items.length > 0 &&
    items.every((item) => {
      const node = resolveNode(item, document);
      return isText(node) || isStepMap(node) || (isSeq(node) && isStepList(node.items, document));
    })
  );
}
