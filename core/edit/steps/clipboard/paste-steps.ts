import { isSeq } from 'yaml';
import type { EditResult, NodeRef, Refusal } from '../../edit-result.ts';
import { applyChanges, type ChangeSet } from '../../text-change.ts';
import { textOfNode } from '../../outline/fields.ts';
import type { WrittenDependency } from '../../outline/wiring.ts';
import { readEditable, type EditableText } from '../../yaml/editable-text.ts';
import { entriesOf } from '../../yaml/entries/entries.ts';
import type { StepPlace } from '../add-step.ts';
import { convertToGraph } from '../convert/convert-to-graph.ts';
import { flattenGroups } from '../convert/flatten-groups.ts';
import { pinReferred, writeNames } from '../names/pin-names.ts';
import { makeUnique, takenNames } from '../names/unique-name.ts';
import {
  describeMissing,
  indexOfStep,
  openWorkflow,
  refIn,
  refuse,
  type OpenWorkflow,
} from '../open-workflow.ts';
import { insertSteps } from '../places/insert-steps.ts';
import { sourceOfEntry } from '../places/source-of-step.ts';
import type { StepSource } from '../places/step-source.ts';
import { changeIds, changeNames } from '../references/rename-changes.ts';
import { editInTurn, inOrder, together } from '../sequence.ts';
import { changeDepends } from '../wiring/change-depends.ts';
import { copySteps } from './copy-steps.ts';
import { makeSelfContained } from './self-contained.ts';
import { readClip, type Clip } from './read-clip.ts';

/**
 * Puts steps from a text into a workflow: from {@link copySteps}, or a step, a list or map of steps or a whole workflow
 * that somebody has written. Names and ids that are taken get a number, in what refers to them as well; steps that are
 * not there are no longer waited for, which the result says.
 * @param document its index; that of the steps named when absent
 */
export function pasteSteps(
  editable: EditableText,
  text: string,
  place: StepPlace = {},
  document = (place.after ?? place.before)?.document,
): EditResult {
  const clip = readClip(text);
  return 'reason' in clip ? clip : insertClip(editable, clip, place, document);
}

/**
 * Puts copies of steps behind the last of them. They wait for each other as the steps do, and for what else these wait.
 * @param document its index; that of the steps named when absent
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
  const last = steps.toSorted((a, b) => indexOfStep(workflow, b)! - indexOfStep(workflow, a)!)[0]!;
  return insertClip(editable, clip, { after: last }, document);
}

function insertClip(
  editable: EditableText,
  clip: Clip,
  { after, before }: StepPlace,
  document?: number,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const neighbour = after ?? before;
  const index = neighbour && indexOfStep(workflow, neighbour);
  if (neighbour !== undefined && index === undefined) return refuse(describeMissing(neighbour));
  const adapted = adapt(clip, workflow);
  if ('reason' in adapted) return adapted;
  const { pasted, lost } = adapted;
  const sources = listSources(pasted);
  if (sources.length === 0) return refuse('The workflow has no steps to paste.');
  const { drafts } = workflow;
  const item =
    index === undefined
      ? (drafts.at(-1)?.item ?? -1) + 1
      : drafts[index]!.item + (after === undefined ? 0 : 1);
  const at = drafts.filter((draft) => draft.item < item).length;
  const result = editInTurn(editable, document, [
    (current) => pinReferred(current, (referred) => referred >= at),
    (current) => insertSteps(current, item, sources),
  ]);
  if (!result.ok) return result;
  const names = namesOfPasted(workflow, pasted, { at, changes: result.changes });
  const select = names.map((name) => refIn(workflow, name));
  return { ...result, select, ...(lost.length > 0 && { lost }) };
}

/** Those without a name of their own are called by where they are now. */
function namesOfPasted(
  { editable, index }: OpenWorkflow,
  pasted: OpenWorkflow,
  { at, changes }: { readonly at: number; readonly changes: ChangeSet },
): readonly string[] {
  if (pasted.drafts.every(({ name }) => name !== '')) return pasted.names;
  const after = openWorkflow(readEditable(applyChanges(editable.text, changes), editable), index);
  return 'reason' in after ? [] : after.names.slice(at, at + pasted.drafts.length);
}

/** The clip with names, ids and dependencies that fit the workflow. */
function adapt(
  clip: Clip,
  target: OpenWorkflow,
): { readonly pasted: OpenWorkflow; readonly lost: readonly string[] } | Refusal {
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
  const edit = editInTurn(mini.editable, undefined, [
    (current) => (needsNames ? writeNames(current, current.drafts.keys()) : pinReferred(current)),
    (current) =>
      isSeq(target.container) && target.type === 'chain' ? { ok: true, changes: [] } : flattenGroups(current),
    (current) => ({ ok: true, changes: makeSelfContained(current, rangesOf(current)) }),
    (current) => dropUnknown(current, target),
    (current) => renameTaken(current, takenNames(target)),
  ]);
  if (!edit.ok) return edit;
  const pasted = openWorkflow(readEditable(applyChanges(mini.editable.text, edit.changes)));
  if ('reason' in pasted) return pasted;
  const lost = mini.written.flatMap((list) => listUnknown(list, mini, target));
  return { pasted, lost: [...new Set(lost.map(({ reference }) => reference))] };
}

/** Entries of `depends` that name nobody, neither among the steps nor where they come to. */
const listUnknown = (
  list: readonly WrittenDependency[] | undefined,
  workflow: OpenWorkflow,
  target: OpenWorkflow,
): WrittenDependency[] =>
  (list ?? []).filter(
    ({ reference }) => !workflow.references.has(reference) && !target.references.has(reference),
  );

/** Where the steps themselves stand: what a whole workflow says besides is not pasted. */
function rangesOf({ container }: OpenWorkflow): { from: number; to: number }[] {
  const range = container?.range;
  return range ? [{ from: range[0], to: range[1] }] : [];
}

/** Leaves out what the steps waited for elsewhere. */
function dropUnknown(workflow: OpenWorkflow, target: OpenWorkflow): EditResult {
  return together(
    ...workflow.written.map((list, place) =>
      changeDepends(workflow, place, { dropWritten: new Set(listUnknown(list, workflow, target)) }),
    ),
  );
}

function renameTaken(workflow: OpenWorkflow, taken: Set<string>): EditResult {
  const names = new Map<number, string>();
  const ids = new Map<number, string>();
  const all = new Set([...taken, ...takenNames(workflow)]);
  workflow.drafts.forEach(({ name, fields }, place) => {
    if (name !== '' && taken.has(name)) names.set(place, makeUnique(name, all));
    all.add(names.get(place) ?? name);
    const id = textOfNode(fields.get('id')?.value);
    if (id !== undefined && taken.has(id)) ids.set(place, makeUnique(id, all));
    all.add(ids.get(place) ?? id ?? '');
  });
  return { ok: true, changes: inOrder([...changeNames(workflow, names), ...changeIds(workflow, ids)]) };
}

/** Items of the clip, groups as they are. */
function listSources({ container, editable }: OpenWorkflow): StepSource[] {
  if (container === null || !('items' in container)) return [];
  const collection = container;
  return entriesOf(collection).map((_, place) => sourceOfEntry(editable.text, { collection, place }));
}
