import { findCycle } from '../../spec/plan/graph.ts';
import { type EditResult, type NodeRef, applyChanges, type ChangeSet } from '../text-change.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { getEntries, isFlow, type Collection } from '../yaml/entries.ts';
import { orderInFlow } from '../yaml/flow-entries.ts';
import { moveLines } from '../yaml/block-lines.ts';
import { normalizeChanges } from '../yaml/text-edits.ts';
import type { StepPosition } from './add-step.ts';
import { materializeReferredNames } from './expand-text.ts';
import {
  formatMissingStep,
  findStepIndex,
  openWorkflow,
  nodeRefIn,
  reject,
  getStepGraph,
  type OpenWorkflow,
  composeEdits,
  noEdit,
  mergeEdits,
} from './open-workflow.ts';
import { insertInto } from './insert-steps.ts';
import { getEntry, getEntrySource } from './step-source.ts';
import { dropEntries } from './remove-steps.ts';

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
