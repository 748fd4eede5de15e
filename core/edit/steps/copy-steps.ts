import type { Node } from 'yaml';
import {
  type NodeRef,
  type EditRejection,
  applyChanges,
  type ChangeSet,
  type TextChange,
  reject,
} from '../text-change.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { isFlow } from '../yaml/entries.ts';
import type { TextRange } from '../outline.ts';
import { getAnchors, type Anchor } from '../yaml/walk.ts';
import { plainValue } from '../yaml/read-value.ts';
import { materializeNames } from './expand-text.ts';
import { findStepIndex, openWorkflow, type OpenWorkflow, sortChanges } from './open-workflow.ts';
import { readEntryLines } from './entry-lines.ts';
import { writeItem } from './insert-steps.ts';
import { getEntry, getEntrySource, type StepEntry, asItem, flowText } from './step-source.ts';
import { formatMissingStep } from './check-connection.ts';

/** Steps as YAML. */
export interface CopiedSteps {
  readonly ok: true;
  /** A list of steps that other programs and workflows can read. */
  readonly text: string;
}

/**
 * Returns the YAML of steps in the order of the file, with their comments. It is self-contained: values of anchors
 * elsewhere are written out, and steps that other copied steps depend on have names.
 * @param document document index; default: that of the referenced steps
 */
export function copySteps(
  editable: EditableText,
  refs: readonly NodeRef[],
  document = refs[0]?.document,
): CopiedSteps | EditRejection {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const steps = refs.filter(({ section }) => section === 'step');
  if (steps.length === 0) return reject('Select steps to copy. Copy handlers in the source.');
  const missing = steps.find((ref) => findStepIndex(workflow, ref) === undefined);
  if (missing !== undefined) return reject(formatMissingStep(missing));
  const positions = [...new Set(steps.map((ref) => findStepIndex(workflow, ref)!))].toSorted((a, b) => a - b);
  const prepared = prepareContent(workflow, positions);
  if ('reason' in prepared) return prepared;
  const { text } = prepared.editable;
  const items = positions.map((position) =>
    writeItem(asItem(getEntrySource(text, getEntry(prepared, position)!)), 0),
  );
  return { ok: true, text: items.join('') };
}

/** Writes names where the selected steps need them, and replaces aliases of anchors elsewhere. */
function prepareContent(workflow: OpenWorkflow, positions: readonly number[]): OpenWorkflow | EditRejection {
  const selected = new Set(positions);
  const needed = positions.flatMap((position) =>
    (workflow.written[position] ?? []).flatMap(({ reference }) => {
      const target = workflow.references.get(reference);
      return target !== undefined && selected.has(target) && workflow.names[target] === reference
        ? target
        : [];
    }),
  );
  let current: OpenWorkflow | EditRejection = workflow;
  for (const change of [
    (now: OpenWorkflow) => materializeNames(now, needed),
    (now: OpenWorkflow) => ({
      ok: true as const,
      changes: makeSelfContained(
        now,
        positions.map((position) => getEntryRange(now, getEntry(now, position)!)),
      ),
    }),
  ]) {
    if ('reason' in current) return current;
    if (positions.some((position) => getEntry(current as OpenWorkflow, position) === undefined))
      return reject(
        'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
      );
    const edit = change(current);
    if (!edit.ok) return edit;
    if (edit.changes.length === 0) continue;
    const text = applyChanges(current.editable.text, edit.changes);
    current = openWorkflow(readEditable(text, current.editable), workflow.index);
  }
  return current;
}

function getEntryRange(
  { editable: { text } }: OpenWorkflow,
  { collection, position }: StepEntry,
): { from: number; to: number } {
  if (!isFlow(collection)) return readEntryLines(text, collection).at(position)!;
  const [from, to] = collection.range!;
  return { from, to };
}

/**
 * Makes ranges of a text self-contained: replaces an alias whose anchor is outside them by its value, and removes an
 * anchor that no alias in them uses.
 */
export function makeSelfContained(
  { document, editable }: OpenWorkflow,
  ranges: readonly TextRange[],
): ChangeSet {
  const { text } = editable;
  if (!text.includes('&')) return [];
  const isInside = (offset: number): boolean => ranges.some(({ from, to }) => from <= offset && offset < to);
  return sortChanges(
    getAnchors(document).anchors.flatMap((anchor): TextChange[] => {
      const uses = anchor.uses.filter(({ offset }) => isInside(offset));
      if (isInside(anchor.offset)) return uses.length > 0 ? [] : removeAnchor(text, anchor);
      return uses.map(({ alias }) => {
        const [from, to] = (alias as Node).range!;
        return { from, to, insert: flowText(plainValue(document, anchor.node)) };
      });
    }),
  );
}

/** Removes an anchor and the space after it. If a tag is in between, the anchor stays. */
function removeAnchor(text: string, { name, offset }: Anchor): TextChange[] {
  const mark = `&${name}`;
  const from = text.lastIndexOf(mark, offset);
  const between = text.slice(from + mark.length, offset);
  if (from === -1 || between.trim() !== '') return [];
  const spaces = /^[ \t]*/.exec(between)![0].length;
  return [{ from, to: from + mark.length + spaces, insert: '' }];
}
