import { isSeq, type YAMLSeq } from 'yaml';
import { findCycle } from '../../spec/plan/graph.ts';
import {
  type EditResult,
  type NodeRef,
  applyChanges,
  type ChangeSet,
  type TextChange,
  reject,
} from '../text-change.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { getEntries, isFlow, type Collection, getNodeEnd } from '../yaml/entries.ts';
import { orderInFlow } from '../yaml/flow-entries.ts';
import { moveLines } from '../yaml/block-lines.ts';
import { normalizeChanges } from '../yaml/text-edits.ts';
import { setValue } from '../yaml/set-value.ts';
import type { StepPosition } from './add-step.ts';
import { materializeReferredNames, materializeNames } from './expand-text.ts';
import {
  findStepIndex,
  openWorkflow,
  nodeRefIn,
  getStepGraph,
  type OpenWorkflow,
  composeEdits,
  noEdit,
  mergeEdits,
  nodePathIn,
} from './open-workflow.ts';
import { insertInto, matchLineEndings, writeItem } from './insert-steps.ts';
import { getEntry, getEntrySource, asItem } from './step-source.ts';
import { dropEntries } from './remove-steps.ts';
import { insertTopField } from './set-step-field.ts';
import { changeDepends, expandToMap } from './connect.ts';
import { readEntryLines, findLineStart } from './entry-lines.ts';
import { formatMissingStep } from './check-connection.ts';

/**
 * Moves a step before or after another one. In a chain, this changes when it runs; next to a step of a group, it joins
 * the group.
 */
export function moveStep(editable: EditableText, ref: NodeRef, position: StepPosition): EditResult {
  const { document } = ref;
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const neighbour = position.after ?? position.before;
  if (neighbour === undefined) return reject('Choose the step to move before or after.');
  const [step, next] = [findStepIndex(workflow, ref), findStepIndex(workflow, neighbour)];
  if (step === undefined) return reject(formatMissingStep(ref));
  if (next === undefined) return reject(formatMissingStep(neighbour));
  if (step === next) return noEdit;
  const [low, high] = [Math.min(step, next), Math.max(step, next)];
  const result = composeEdits(editable, document, [
    (current) => materializeReferredNames(current, (index) => index >= low && index <= high),
    (current) => moveEntries(current, step, { next, isBehind: position.after !== undefined }),
  ]);
  return result.ok ? checkOrder(workflow, result, ref.name) : result;
}

function moveEntries(
  workflow: OpenWorkflow,
  step: number,
  { next, isBehind }: { readonly next: number; readonly isBehind: boolean },
): EditResult {
  const { text } = workflow.editable;
  const [from, to] = [getEntry(workflow, step), getEntry(workflow, next)];
  if (from === undefined || to === undefined)
    return reject(
      'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
    );
  const position = to.position + (isBehind ? 1 : 0);
  if (from.collection === to.collection) {
    const target = position > from.position ? position - 1 : position;
    return { ok: true, changes: moveEntry(workflow.editable, from.collection, from.position, target) };
  }
  return mergeEdits(
    dropEntries(workflow, new Set([step])),
    insertInto(workflow, to.collection, position, [getEntrySource(text, from)]),
  );
}

/** Checks whether the new order of a chain contradicts `depends`. */
function checkOrder(workflow: OpenWorkflow, edit: EditResult & { ok: true }, name: string): EditResult {
  const { editable, index, names, drafts, type } = workflow;
  // The order of a graph has no effect, and written names do not change.
  if (type === 'graph' && drafts.every((draft) => draft.name !== ''))
    return { ...edit, select: [nodeRefIn(workflow, name)] };
  const after = openWorkflow(readEditable(applyChanges(editable.text, edit.changes), editable), index);
  if ('reason' in after) return after;
  const cycle = findCycle(getStepGraph(after).steps);
  if (cycle !== undefined)
    return reject(`This would create a cycle: ${cycle.slice(0, 12).join(' -> ')}. Change "depends" first.`);
  // A step without a name gets the name of its new position.
  const moved = after.names.find((each) => !names.includes(each)) ?? name;
  const keepsName = after.names.includes(name) && after.names.length === names.length;
  return { ...edit, select: [nodeRefIn(workflow, keepsName ? name : moved)] };
}

/**
 * Moves an entry within its list or map, with its lines and comments. Blank lines keep their positions.
 * @param to index after the move
 */
function moveEntry(editable: EditableText, collection: Collection, from: number, to: number): ChangeSet {
  if (from === to) return [];
  const entries = getEntries(collection);
  if (!isFlow(collection)) return normalizeChanges(moveLines(editable, entries, from, to));
  const [first, end] = [Math.min(from, to), Math.max(from, to) + 1];
  const order = entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!);
  return normalizeChanges(orderInFlow(editable.text, entries.slice(first, end), order.slice(first, end)));
}

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

/** Moves steps from nested lists into the list itself, in the same order. */
export function flattenGroups({ container, fields, editable }: OpenWorkflow): EditResult {
  if (!isSeq(container)) return noEdit;
  const groups = container.items.flatMap((item, position) =>
    isSeq(item) ? [{ group: item, position }] : [],
  );
  if (groups.length === 0) return noEdit;
  if (fields.get('steps')?.written !== container)
    return reject(
      'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
    );
  const { text } = editable;
  return {
    ok: true,
    changes: groups.flatMap(({ group, position }) =>
      isFlow(container) ? removeBrackets(text, group) : [flattenLines(text, container, position, group)],
    ),
  };
}

function removeBrackets(text: string, group: YAMLSeq): TextChange[] {
  const [from] = group.range!;
  const end = getNodeEnd(text, group);
  return [
    { from, to: from + 1, insert: '' },
    { from: end - 1, to: end, insert: '' },
  ];
}

function flattenLines(text: string, container: YAMLSeq, position: number, group: YAMLSeq): TextChange {
  const { column, at } = readEntryLines(text, container as Collection);
  const range = at(position)!;
  const members = getEntries(group as Collection).map((_, member) =>
    writeItem(asItem(getEntrySource(text, { collection: group as Collection, position: member })), column),
  );
  const from = range.isInline ? range.from : findLineStart(text, range.entry.from);
  const lines = members.join('').slice(range.isInline ? column : 0);
  const insert = text[range.to - 1] === '\n' ? lines : lines.replace(/\n$/, '');
  return { from, to: range.to, insert: matchLineEndings(text, insert) };
}
